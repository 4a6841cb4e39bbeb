import type { Clock, Timer } from "@coxswain/runtime/clock";
import { stopReason } from "@coxswain/runtime/wait";
import { DeadlineError, withDeadline } from "../deadline/index.js";
import type { ListerWatcher, WatchEvent, WatchRequest } from "../watch/index.js";

/** A watch that cannot hang: each read ends by events, by the end of the watch, by an error, by its deadline or by the signal. */
export interface WatchReader<T> {
  /** The next batch; undefined when the watch ended. Rejects with a DeadlineError when nothing came in time. */
  next(): Promise<readonly WatchEvent<T>[] | undefined>;
  /** Moves the deadline of all further reads to `ms` from now. */
  setDeadline(ms: number): void;
  /** Ends the watch on both sides. */
  stop(): void;
}

export interface WatchReaderOptions {
  /** From now to the first batch, unless `setDeadline` changes it. */
  readonly deadlineMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export async function openWatch<T>(
  listerWatcher: ListerWatcher<T>,
  request: WatchRequest,
  { deadlineMs, clock, signal }: WatchReaderOptions,
): Promise<WatchReader<T>> {
  const openedBy = clock.monotonic() + deadlineMs;
  // The signal given to the lister-watcher outlives `withDeadline`: it ends the stream, too.
  const ending = new AbortController();
  const stream = await withDeadline(
    (opening) => {
      opening.addEventListener("abort", () => ending.abort(opening.reason), { once: true });
      return listerWatcher.watch(request, ending.signal);
    },
    { what: "opening a watch", ms: deadlineMs, clock, signal },
    (late) => late.stop(),
  );
  const iterator = stream[Symbol.asyncIterator]();
  // The one read under way is settled through this: racing against a promise that lives as long as the watch would leak.
  let interrupt: ((outcome: { ended: true } | { error: unknown }) => void) | undefined;
  let stopped = false;
  let failure: unknown;
  let timer: Timer | undefined;

  function stop(): void {
    if (stopped) return;
    stopped = true;
    timer?.cancel();
    signal.removeEventListener("abort", stop);
    stream.stop();
    ending.abort(stopReason);
    interrupt?.({ ended: true });
  }
  function fail(error: unknown): void {
    failure = error;
    interrupt?.({ error });
    stop();
  }
  function setDeadline(ms: number): void {
    timer?.cancel();
    if (!stopped && !stream.isEndless) timer = clock.setTimer(ms, () => fail(new DeadlineError("reading a watch", ms)));
  }

  if (signal.aborted) stop();
  else {
    signal.addEventListener("abort", stop, { once: true });
    setDeadline(Math.max(0, openedBy - clock.monotonic()));
  }
  return {
    setDeadline,
    stop,
    next() {
      if (failure !== undefined) return Promise.reject(failure);
      if (stopped) return Promise.resolve(undefined);
      return new Promise((resolve, reject) => {
        interrupt = (outcome) => ("error" in outcome ? reject(outcome.error) : resolve(undefined));
        iterator.next().then((result) => resolve(result.done === true ? undefined : result.value), reject);
      });
    },
  };
}
