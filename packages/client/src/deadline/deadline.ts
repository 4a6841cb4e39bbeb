import type { Clock } from "@coxswain/runtime/clock";

/** The server did not answer, or went silent, for longer than it may. */
export class DeadlineError extends Error {
  constructor(what: string, ms: number) {
    super(`${what}: nothing came within ${ms / 1000} s`);
    this.name = "DeadlineError";
  }
}

export interface DeadlineOptions {
  /** For the message of the DeadlineError. */
  readonly what: string;
  readonly ms: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Runs `work` with a signal that aborts at the deadline. Settles at the deadline or when the outer signal aborts even if
 * `work` ignores its signal; what it returns later goes to `late`.
 */
export function withDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { what, ms, clock, signal }: DeadlineOptions,
  late: (value: T) => void = () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const inner = new AbortController();
    let settled = false;
    const settle = (): boolean => {
      if (settled) return false;
      settled = true;
      timer.cancel();
      signal.removeEventListener("abort", onAbort);
      return true;
    };
    const fail = (error: unknown): void => {
      if (!settle()) return;
      inner.abort(error);
      reject(error);
    };
    const onAbort = (): void => fail(signal.reason);
    const timer = clock.setTimer(ms, () => fail(new DeadlineError(what, ms)));
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    // A synchronous throw is a failure like any other.
    new Promise<T>((run) => run(work(inner.signal))).then(
      (value) => (settle() ? resolve(value) : late(value)),
      (error) => {
        if (settle()) reject(error);
      },
    );
  });
}
