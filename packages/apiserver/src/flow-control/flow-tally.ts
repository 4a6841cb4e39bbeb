export type RefusalReason = "queue-full" | "concurrency-limit" | "time-out";

/** Counts what happens to requests of one schema at one level; plain numbers, read when somebody asks for metrics. */
export class FlowTally {
  readonly level: string;
  readonly schema: string;
  dispatched = 0;
  executing = 0;
  executingSeats = 0;
  waiting = 0;
  waitingSeats = 0;
  /** How many were in a queue, if only for a moment. */
  queued = 0;
  noAccommodation = 0;
  readonly refused: Record<RefusalReason, number> = { "queue-full": 0, "concurrency-limit": 0, "time-out": 0 };
  /** Called with the length of the queue that a request has joined. */
  onQueued: ((length: number) => void) | undefined = undefined;

  constructor(level: string, schema: string) {
    this.level = level;
    this.schema = schema;
  }
}
