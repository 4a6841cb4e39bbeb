/** What the scheduler needs of the event loop it runs on. */
export interface EventLoop {
  /** Calls `run` in the next iteration of the loop: sockets have been polled and timers have fired by then. */
  nextIteration(run: () => void): void;
  /** Calls `run` when every promise job that is queued, and every one that these queue, has run. */
  afterPromiseJobs(run: () => void): void;
}

/** Node's. */
export const nodeEventLoop: EventLoop = {
  nextIteration: (run) => void setImmediate(run),
  // Node empties the queue of promise jobs before it takes the next tick, so a tick that a job asks for runs behind all jobs.
  afterPromiseJobs: (run) => queueMicrotask(() => process.nextTick(run)),
};
