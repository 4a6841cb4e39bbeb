import type { FairQueue, Queued } from "./fair-queue.js";
import type { FlowTally } from "./flow-tally.js";
import type { RequestDigest } from "./match-flow-schema.js";
import { estimatedServiceMs, type SeatSeconds, seatsTimesMs } from "./seat-seconds.js";

/** What a request is thought to cost. */
export interface WorkEstimate {
  /** Seats while it runs. */
  readonly initialSeats: number;
  /** Seats afterwards, for `additionalMs`: its events are on their way to watchers. The client does not wait for that. */
  readonly finalSeats: number;
  readonly additionalMs: number;
}

/** Most requests: one seat as long as they run. */
export const oneSeat: WorkEstimate = { initialSeats: 1, finalSeats: 0, additionalMs: 0 };

/** Which flow a request belongs to. */
export interface Flow {
  /** Counts what happens to requests of one schema at one level. */
  readonly tally: FlowTally;
  readonly distinguisher: string;
  /** The queues it may wait in, chosen by shuffle sharding; empty where the level has none. */
  readonly hand: readonly number[];
}

export type RequestState = "waiting" | "executing" | "finished" | "gone";

/** One request that a priority level knows of. */
export class FairRequest implements Queued {
  readonly flow: Flow;
  readonly digest: RequestDigest;
  readonly initialSeats: number;
  /** The most seats that it occupies at any time: they are taken at its start. */
  readonly seats: number;
  readonly totalWork: SeatSeconds;
  readonly finalSeats: number;
  readonly finalWork: SeatSeconds;
  additionalMs: number;
  readonly arrivedMs: number;
  arrivedR: SeatSeconds;
  startedMs = 0;
  queue: FairQueue<FairRequest> | undefined;
  state: RequestState = "waiting";
  /** Called once for a request that had to wait: true when it is dispatched, false when it is refused. */
  decide: ((execute: boolean) => void) | undefined = undefined;

  constructor(flow: Flow, digest: RequestDigest, work: WorkEstimate, now: { ms: number; r: SeatSeconds }) {
    this.flow = flow;
    this.digest = digest;
    this.initialSeats = work.initialSeats;
    this.finalSeats = work.finalSeats;
    this.seats = Math.max(work.initialSeats, work.finalSeats);
    this.additionalMs = work.additionalMs;
    this.finalWork = work.finalSeats === 0 ? 0 : seatsTimesMs(work.finalSeats, work.additionalMs);
    this.totalWork = seatsTimesMs(work.initialSeats, estimatedServiceMs) + this.finalWork;
    this.arrivedMs = now.ms;
    this.arrivedR = now.r;
  }
}
