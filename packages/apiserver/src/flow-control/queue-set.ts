import type { Clock } from "@coxswain/runtime/clock";
import { FairQueue } from "./fair-queue.js";
import { FairRequest, type Flow, type WorkEstimate } from "./fair-request.js";
import type { RefusalReason } from "./flow-tally.js";
import type { RequestDigest } from "./match-flow-schema.js";
import { SeatDemand } from "./seat-demand.js";
import { estimatedServiceMs, msPerSeat, type SeatSeconds, seatsTimesMs } from "./seat-seconds.js";
import { SeatsByUser, unreserved } from "./seats-by-user.js";

/** What happens to requests that find no free seat. */
export type QueueConfig =
  /** All execute. */
  | { readonly type: "exempt" }
  | { readonly type: "reject" }
  | { readonly type: "queue"; readonly queues: number; readonly queueLengthLimit: number };

export interface QueueSetOptions {
  readonly clock: Clock;
  readonly config: QueueConfig;
  readonly concurrencyLimit: number;
}

/** Subtracted from virtual times when they become large, before doubles lose precision; an epoch in upstream's words. */
const epochLength = 2 ** 51;

const anyone = (): boolean => true;

/**
 * The seats and queues of one priority level: upstream's fair queuing (k8s.io/apiserver, fairqueuing/queueset). Queues are
 * served as if each got an even share of the level's seats at every moment: `currentR` is the virtual time, the progress that
 * such a server would have made in each busy queue; the request with the earliest virtual finish time is next. Requests wait in
 * FIFO order in the queue of their flow's hand with the least work (shuffle sharding, dealer.ts), up to `queueLengthLimit`.
 */
export class QueueSet {
  readonly #clock: Clock;
  readonly #byUser = new SeatsByUser();
  readonly demand: SeatDemand;
  config: QueueConfig;
  concurrencyLimit: number;
  readonly queues: FairQueue<FairRequest>[] = [];
  /** Executing requests of levels without queues. */
  readonly queueless = new Set<FairRequest>();
  currentR: SeatSeconds = 0;
  epochs = 0;
  executing = 0;
  seatsInUse = 0;
  waiting = 0;
  waitingSeats = 0;
  dispatched = 0;
  rejected = 0;
  cancelled = 0;
  /** Called before a change, with the time since the last one. */
  onPassed: ((ms: number) => void) | undefined = undefined;
  /** For the metrics: virtual time at the last dispatch, and the virtual start times of the dispatched request and of the first of each queue. */
  readonly lastDispatch = { r: 0, s: 0, sMin: 0, sMax: 0, discountedMin: 0, discountedMax: 0, any: false };
  #nowMs: number;
  #robin = 0;
  #enqueues = 0;
  #activeQueues = 0;
  #queuedSeats = 0;

  constructor({ clock, config, concurrencyLimit }: QueueSetOptions) {
    this.#clock = clock;
    this.#nowMs = clock.monotonic();
    this.demand = new SeatDemand(this.#nowMs);
    this.config = config;
    this.concurrencyLimit = concurrencyLimit;
    this.#makeQueues();
  }

  get isIdle(): boolean {
    return this.waiting === 0 && this.executing === 0;
  }

  configure(config: QueueConfig, concurrencyLimit: number): void {
    this.#sync();
    this.config = config;
    this.concurrencyLimit = concurrencyLimit;
    this.#makeQueues();
    this.#dispatch();
  }

  /** An executing request, a waiting one (its `decide` will be called), or why it is refused. */
  start(flow: Flow, digest: RequestDigest, work: WorkEstimate): FairRequest | RefusalReason {
    this.#sync();
    const request = new FairRequest(flow, digest, work, { ms: this.#nowMs, r: this.currentR });
    if (this.config.type !== "queue") {
      if (!this.#hasRoomFor(request.seats) || this.#isReserved(request))
        return this.#refuse(request, "concurrency-limit");
      this.#run(request);
      return request;
    }
    const queue = this.#chooseQueue(flow.hand);
    if (queue.waiting.length >= this.config.queueLengthLimit && this.#mustWait(request))
      return this.#refuse(request, "queue-full");
    if (!queue.isActive) {
      queue.nextDispatchR = this.currentR;
      this.#activeQueues += 1;
    }
    request.queue = queue;
    if (this.waiting === 0 && !this.#mustWait(request) && this.#hasRoomFor(request.seats)) {
      // It would be enqueued and dispatched at once.
      this.#noteDispatch(queue);
      this.#robin = queue.index;
      queue.bound();
      this.#queuedSeats += request.seats;
      flow.tally.queued += 1;
      flow.tally.onQueued?.(1);
      this.#run(request);
      return request;
    }
    this.#enqueue(request, queue);
    this.#dispatch();
    return request;
  }

  /** The request has been answered. */
  finish(request: FairRequest): void {
    if (request.state !== "executing") return;
    this.#sync();
    request.state = "finished";
    this.executing -= 1;
    request.flow.tally.executing -= 1;
    const { queue } = request;
    if (queue) {
      queue.executing.delete(request);
      // Its queue was charged an estimate; the actual time is known now.
      queue.nextDispatchR -= seatsTimesMs(request.initialSeats, estimatedServiceMs - (this.#nowMs - request.startedMs));
      queue.bound();
      if (!queue.isActive) this.#activeQueues -= 1;
    } else this.queueless.delete(request);
    if (request.additionalMs <= 0) this.#release(request);
    else
      this.#clock.setTimer(request.additionalMs, () => {
        this.#sync();
        this.#release(request);
        this.#dispatch();
      });
    this.#dispatch();
  }

  /** The client of a waiting request is gone, or it waited too long. */
  cancel(request: FairRequest): void {
    if (request.state !== "waiting" || !request.queue) return;
    this.#sync();
    const { queue, flow } = request;
    queue.remove(request);
    queue.bound();
    if (!queue.isActive) this.#activeQueues -= 1;
    this.#queuedSeats -= request.seats;
    this.#noLongerWaiting(request);
    this.rejected += 1;
    this.cancelled += 1;
    flow.tally.refused["time-out"] += 1;
    request.state = "gone";
    this.#updateDemand();
    this.#dropQueue(queue);
    request.decide?.(false);
    this.#dispatch(); // It may have been the one that was too wide for the free seats.
  }

  #dispatch(): void {
    while (this.waiting > 0 && this.seatsInUse < this.concurrencyLimit && this.#dispatchNext());
  }

  #dispatchNext(): boolean {
    let queue = this.#nextQueue(anyone);
    // Only those for whom the reserve is may overtake: else narrow requests would keep wide ones waiting.
    if (queue?.waiting[0] && this.#isReserved(queue.waiting[0]))
      queue = this.#nextQueue((first) => !this.#byUser.holds(first.digest.user.name));
    const request = queue?.waiting[0];
    if (!queue || !request) return false;
    if (!this.#hasRoomFor(request.seats)) {
      request.flow.tally.noAccommodation += 1;
      return false;
    }
    this.#noteDispatch(queue);
    queue.remove(request);
    this.#robin = queue.index;
    this.#noLongerWaiting(request);
    this.#run(request);
    queue.bound();
    request.decide?.(true);
    return true;
  }

  /** Of the queues whose oldest request may go, the one where it has the earliest virtual finish time. */
  #nextQueue(mayGo: (oldest: FairRequest) => boolean): FairQueue<FairRequest> | undefined {
    let best: FairQueue<FairRequest> | undefined;
    let earliest = Number.MAX_SAFE_INTEGER;
    const count = this.queues.length;
    for (let step = 1; step <= count; step++) {
      const queue = this.queues[(this.#robin + step) % count] as FairQueue<FairRequest>;
      const oldest = queue.waiting[0];
      if (!oldest || !mayGo(oldest)) continue;
      const finish = queue.nextDispatchR + oldest.totalWork;
      if (finish >= earliest) continue;
      earliest = finish;
      best = queue;
    }
    return best;
  }

  /** For the metrics, before a request of `next` is dispatched. */
  #noteDispatch(next: FairQueue<FairRequest>): void {
    const last = this.lastDispatch;
    last.any = true;
    last.r = this.currentR;
    last.s = last.sMin = last.sMax = next.nextDispatchR;
    last.discountedMin = last.discountedMax = next.nextDispatchR - seatsTimesMs(next.seatsInUse, estimatedServiceMs);
    if (this.waiting === 0) return;
    for (const { waiting, nextDispatchR, seatsInUse } of this.queues) {
      if (waiting.length === 0) continue;
      const discounted = nextDispatchR - seatsTimesMs(seatsInUse, estimatedServiceMs);
      last.sMin = Math.min(last.sMin, nextDispatchR);
      last.sMax = Math.max(last.sMax, nextDispatchR);
      last.discountedMin = Math.min(last.discountedMin, discounted);
      last.discountedMax = Math.max(last.discountedMax, discounted);
    }
  }

  #run(request: FairRequest): void {
    const { queue, flow, seats } = request;
    request.state = "executing";
    request.startedMs = this.#nowMs;
    this.executing += 1;
    this.seatsInUse += seats;
    this.#byUser.add(request.digest.user.name, seats);
    this.dispatched += 1;
    flow.tally.executing += 1;
    flow.tally.executingSeats += seats;
    flow.tally.dispatched += 1;
    if (queue) {
      queue.executing.add(request);
      queue.seatsInUse += seats;
      queue.nextDispatchR += request.totalWork;
      // Final seats are limited to the level's; the additional latency grows instead.
      if (request.finalSeats > this.concurrencyLimit)
        request.additionalMs = msPerSeat(request.finalWork, this.concurrencyLimit);
    } else this.queueless.add(request);
    this.#updateDemand();
  }

  #enqueue(request: FairRequest, queue: FairQueue<FairRequest>): void {
    const { tally } = request.flow;
    queue.add(request);
    queue.bound();
    this.#queuedSeats += request.seats;
    this.waiting += 1;
    this.waitingSeats += request.seats;
    tally.waiting += 1;
    tally.waitingSeats += request.seats;
    tally.queued += 1;
    tally.onQueued?.(queue.waiting.length);
    this.#updateDemand();
  }

  #noLongerWaiting({ flow: { tally }, seats }: FairRequest): void {
    this.waiting -= 1;
    this.waitingSeats -= seats;
    tally.waiting -= 1;
    tally.waitingSeats -= seats;
  }

  #release(request: FairRequest): void {
    const { queue, seats, flow } = request;
    this.seatsInUse -= seats;
    this.#byUser.add(request.digest.user.name, -seats);
    flow.tally.executingSeats -= seats;
    if (queue) {
      queue.seatsInUse -= seats;
      this.#queuedSeats -= seats;
      this.#dropQueue(queue);
    }
    this.#updateDemand();
  }

  #refuse(request: FairRequest, reason: RefusalReason): RefusalReason {
    request.state = "gone";
    this.rejected += 1;
    request.flow.tally.refused[reason] += 1;
    return reason;
  }

  #mustWait(request: FairRequest): boolean {
    return this.seatsInUse >= this.concurrencyLimit || this.#isReserved(request);
  }

  /** The seats that are left are for users who hold none. */
  #isReserved({ seats, digest: { user } }: FairRequest): boolean {
    if (this.config.type === "exempt") return false;
    return this.#byUser.mustLeave(user.name, seats, { inUse: this.seatsInUse, limit: this.concurrencyLimit });
  }

  /** A request wider than the level executes when no other does. */
  #hasRoomFor(seats: number): boolean {
    if (this.config.type === "exempt") return true;
    return seats > this.concurrencyLimit ? this.executing === 0 : this.seatsInUse + seats <= this.concurrencyLimit;
  }

  /** Of the flow's queues the one with the least waiting work, starting at another one each time. */
  #chooseQueue(hand: readonly number[]): FairQueue<FairRequest> {
    const offset = this.#enqueues++ % hand.length;
    let best: FairQueue<FairRequest> | undefined;
    for (let at = 0; at < hand.length; at++) {
      const queue = this.queues[hand[(offset + at) % hand.length] as number] as FairQueue<FairRequest>;
      if (!best || queue.waitingWork < best.waitingWork) best = queue;
    }
    return best as FairQueue<FairRequest>;
  }

  #makeQueues(): void {
    if (this.config.type === "queue")
      while (this.queues.length < this.config.queues) this.queues.push(new FairQueue(this.queues.length));
    for (const queue of [...this.queues].reverse()) this.#dropQueue(queue);
  }

  /** Queues beyond the configured number are removed when they are empty. */
  #dropQueue(queue: FairQueue<FairRequest>): void {
    const wanted = this.config.type === "queue" ? this.config.queues : 0;
    if (this.queues.length <= wanted || queue.index < wanted || queue.isActive || queue.seatsInUse > 0) return;
    this.queues.splice(queue.index, 1);
    for (let at = queue.index; at < this.queues.length; at++) (this.queues[at] as FairQueue<FairRequest>).index = at;
    if (this.#robin >= queue.index && this.#robin > 0) this.#robin -= 1;
  }

  #updateDemand(): void {
    this.demand.set(this.seatsInUse + this.waitingSeats, this.#nowMs);
  }

  /** Brings virtual time and demand up to now. */
  catchUp(): void {
    this.#sync();
  }

  /** Advances virtual time (`currentR`) to now. */
  #sync(): void {
    const now = this.#clock.monotonic();
    const passed = now - this.#nowMs;
    this.#nowMs = now;
    if (passed > 0) this.onPassed?.(passed);
    if (this.#activeQueues === 0 || passed <= 0) return;
    const served = Math.max(this.seatsInUse, unreserved(this.concurrencyLimit));
    this.currentR += seatsTimesMs(Math.min(this.#queuedSeats, served) / this.#activeQueues, passed);
    if (this.currentR >= epochLength + epochLength / 2) this.#advanceEpoch();
  }

  #advanceEpoch(): void {
    this.epochs += 1;
    this.currentR -= epochLength;
    for (const queue of this.queues) {
      queue.nextDispatchR = queue.isActive ? queue.nextDispatchR - epochLength : 0;
      for (const request of queue.waiting) request.arrivedR -= epochLength;
    }
  }
}
