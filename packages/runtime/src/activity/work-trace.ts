/** Follows items of work queues and what queued them, for those who show what happened. Calls are synchronous and cheap. */
export interface WorkTrace {
  /** The object of the event that a handler has now: what is queued meanwhile is queued because of it. */
  handling: unknown;
  queued(queue: string, item: unknown): void;
  /** A worker has the item. */
  began(queue: string, item: unknown): void;
  ended(queue: string, item: unknown): void;
}
