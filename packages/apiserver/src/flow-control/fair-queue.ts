import type { SeatSeconds } from "./seat-seconds.js";

/** What a queue needs to know of a request. */
export interface Queued {
  /** The most seats that it occupies at any time. */
  readonly seats: number;
  readonly totalWork: SeatSeconds;
  readonly arrivedR: SeatSeconds;
}

/** One of a level's queues: the waiting requests, oldest first, and the executing ones that waited here. */
export class FairQueue<R extends Queued> {
  index: number;
  readonly waiting: R[] = [];
  readonly executing = new Set<R>();
  /** Virtual start time of its next request. */
  nextDispatchR: SeatSeconds = 0;
  seatsInUse = 0;
  waitingSeats = 0;
  waitingWork: SeatSeconds = 0;

  constructor(index: number) {
    this.index = index;
  }

  get isActive(): boolean {
    return this.waiting.length > 0 || this.executing.size > 0;
  }

  add(request: R): void {
    this.waiting.push(request);
    this.waitingSeats += request.seats;
    this.waitingWork += request.totalWork;
  }

  /** False if it is not here. */
  remove(request: R): boolean {
    const at = this.waiting[0] === request ? 0 : this.waiting.indexOf(request);
    if (at < 0) return false;
    if (at === 0) this.waiting.shift();
    else this.waiting.splice(at, 1);
    this.waitingSeats -= request.seats;
    this.waitingWork -= request.totalWork;
    return true;
  }

  /** No virtual start before arrival: a queue that was idle gets no credit for it. */
  bound(): void {
    const oldest = this.waiting[0];
    if (oldest && this.nextDispatchR < oldest.arrivedR) this.nextDispatchR = oldest.arrivedR;
  }
}
