/** Follows items of work queues and what queued them, for those who show what happened. Calls are synchronous and cheap. */
export interface WorkTrace {
  /** The object of the event that a handler has now: what is queued meanwhile is queued because of it. */
  handling: unknown;
  queued(queue: string, item: unknown): void;
  /** The work on it failed, and it will be worked on again: for the same reason. */
  retried(queue: string, item: unknown): void;
  /** A worker has the item. */
  began(queue: string, item: unknown): void;
  ended(queue: string, item: unknown): void;
  /** The same trace for the queues of one component, by the name under which it writes to the API. */
  as(writer: string): WorkTrace;
  /** Runs the work on an item, for tests that follow it through everything asynchronous. @default it is called as it is */
  around?: (<T>(queue: string, item: unknown, run: () => T) => T) | undefined;
}
