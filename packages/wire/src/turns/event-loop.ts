/** How an event loop tells when it goes on. */
export interface EventLoop {
  /** Once the sockets have been read again. */
  nextTurn(run: () => void): void;
  /** Once everything that was begun is over or waits for something, before anything else. */
  afterThis(run: () => void): void;
}

export const eventLoop: EventLoop = {
  nextTurn: (run) => void setImmediate(run),
  // Promises that are settled are followed to the end before the next tick.
  afterThis: (run) => queueMicrotask(() => process.nextTick(run)),
};
