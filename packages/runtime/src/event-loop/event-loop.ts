import { macrotask } from "./macrotask.js";

/** What the scheduler needs of the event loop it runs on. */
export interface EventLoop {
  /** Calls `run` in the next iteration of the loop: sockets have been polled and timers have fired by then. */
  nextIteration(run: () => void): void;
  /** Calls `run` when every promise job that is queued, and every one that these queue, has run. */
  afterPromiseJobs(run: () => void): void;
}

/** The platform's. Browsers have no tick behind the promise jobs: there the next iteration comes closest. */
export const systemEventLoop: EventLoop = createSystemEventLoop();

function createSystemEventLoop(): EventLoop {
  const { setImmediate: immediate, process } = globalThis as {
    setImmediate?: (run: () => void) => unknown;
    process?: { nextTick?: (run: () => void) => void };
  };
  const nextTick = process?.nextTick;
  const later = (run: () => void): void => void macrotask().then(run);
  return {
    nextIteration: typeof immediate === "function" ? (run) => void immediate(run) : later,
    // Node empties the queue of promise jobs before it takes the next tick, so a tick that a job asks for runs behind all jobs.
    afterPromiseJobs: typeof nextTick === "function" ? (run) => queueMicrotask(() => nextTick(run)) : later,
  };
}
