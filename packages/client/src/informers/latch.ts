/** Something that becomes true once and stays so. */
export interface Latch {
  readonly isOpen: boolean;
  open(): void;
  /** It will never open: who waits is rejected with `error`. */
  abandon(error: Error): void;
  /** Resolves once it is open; rejects when it is abandoned or the signal aborts. */
  wait(signal?: AbortSignal): Promise<void>;
}

export function createLatch(): Latch {
  let isOpen = false;
  let abandoned: Error | undefined;
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const go of woken) go();
  };
  return {
    get isOpen() {
      return isOpen;
    },
    open() {
      if (isOpen) return;
      isOpen = true;
      wake();
    },
    abandon(error) {
      abandoned ??= error;
      wake();
    },
    wait: (signal) =>
      new Promise((resolve, reject) => {
        const settle = (): void => {
          signal?.removeEventListener("abort", abort);
          if (isOpen) resolve();
          else reject(abandoned);
        };
        const abort = (): void => {
          waiting = waiting.filter((other) => other !== settle);
          reject(signal?.reason);
        };
        if (isOpen || abandoned !== undefined) settle();
        else if (signal?.aborted) abort();
        else {
          waiting.push(settle);
          signal?.addEventListener("abort", abort, { once: true });
        }
      }),
  };
}
