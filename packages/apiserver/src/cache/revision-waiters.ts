/** A revision that only grows, and those who wait until it has reached one. */
export interface RevisionWaiters {
  revision(): number;
  /** How many wait. */
  readonly size: number;
  advance(revision: number): void;
  /** Rejects with the signal's reason when it is aborted before; a waiter that has gone is forgotten. */
  reach(revision: number, signal: AbortSignal): Promise<void>;
}

interface Waiter {
  readonly revision: number;
  readonly resolve: () => void;
}

export function createRevisionWaiters(start: number): RevisionWaiters {
  let reached = start;
  const waiting = new Set<Waiter>();
  return {
    revision: () => reached,
    get size() {
      return waiting.size;
    },
    advance(revision) {
      reached = revision;
      for (const waiter of waiting) if (waiter.revision <= revision) waiter.resolve();
    },
    reach(revision, signal) {
      if (reached >= revision) return Promise.resolve();
      if (signal.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(waiter);
          signal.removeEventListener("abort", abort);
        };
        const abort = (): void => {
          leave();
          reject(signal.reason);
        };
        const waiter: Waiter = {
          revision,
          resolve() {
            leave();
            resolve();
          },
        };
        waiting.add(waiter);
        signal.addEventListener("abort", abort, { once: true });
      });
    },
  };
}
