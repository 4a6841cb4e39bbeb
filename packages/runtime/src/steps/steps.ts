import type { Scheduler } from "../scheduler/index.js";

/**
 * Work that may be interrupted: it yields, where others may run, about how many microseconds it took since it yielded last. These
 * are estimates that depend on nothing but the work, so that the same work is interrupted at the same places on a virtual clock.
 */
export type Steps<T> = Generator<number, T, void>;

/** All of it, uninterrupted. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Work that fits into the time slice is done at once; others run before the rest of it.
 * @param ending its signal's reason is thrown in the middle of the work; asked for only where the work takes more than a slice, because
 * a request makes its signal when it is asked for
 */
export function runSteps<T>(
  scheduler: Pick<Scheduler, "yield">,
  steps: Steps<T>,
  ending: { readonly signal?: AbortSignal | undefined } = {},
): T | Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    const pause = scheduler.yield(value);
    if (pause) return goOn(scheduler, steps, pause, ending.signal);
  }
}

async function goOn<T>(
  scheduler: Pick<Scheduler, "yield">,
  steps: Steps<T>,
  first: Promise<void>,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let pause: Promise<void> | undefined = first; ; ) {
    if (pause) {
      await pause;
      signal?.throwIfAborted();
    }
    const { done, value } = steps.next();
    if (done) return value;
    pause = scheduler.yield(value);
  }
}
