import type { Scheduler } from "@coxswain/runtime/scheduler";
import { hasStoreReason, isStoreError, StoreError } from "../contract/store-error.js";
import type { Batch, IndexEntry, Journal } from "./journal.js";
import type { BatchPlan } from "./plan-batch.js";
import { isUrgent, makesRoom, type Outcome, type Request } from "./request.js";
import { WaitingWrites } from "./waiting-writes.js";

/** A batch takes requests until it is this large; the rest waits for the next one. */
const batchBytes = 8 * 1024 * 1024;
const batchRequests = 128;
/** While so many writes wait behind a batch, the disk is the bottleneck, and the scheduler is notified (backpressure). */
const backpressureRequests = 16;
/** A batch waits so many iterations of the event loop for more writes, at most. */
const gatherIterations = 8;

interface Waiting<E extends IndexEntry> {
  readonly request: Request;
  readonly isUrgent: boolean;
  /** Resolves the writer's promise. */
  readonly answer: (outcome: Outcome<E>) => void;
  readonly reject: (reason: unknown) => void;
  /** Called when it is in a batch: from now on an abort has no effect. */
  taken: () => void;
}

export interface CommitSteps<E extends IndexEntry> {
  /**
   * Whether a batch waits for more writes: with a disk behind it, one sync for many is worth the delay. Its writers are then answered in
   * time slices; without a disk, all of a batch at once.
   */
  readonly gathers: boolean;
  plan(requests: readonly Request[]): BatchPlan<E>;
  append: Journal<E>["append"];
  /** Makes a durable batch visible and hands it to the watchers. */
  publish(batch: Batch<E>): void;
  /** The disk has failed: the store is read-only from now on. */
  onFailed(error: StoreError): void;
}

/**
 * Group commit. Requests that come while a batch is being written wait and become the next batch together; they are planned
 * only when the one before is durable, so a plan never rests on something that may still fail. Urgent writes go ahead of others.
 *
 * Order for each batch: durable, visible to reads, handed to watchers, then its writers are answered.
 */
export class CommitQueue<E extends IndexEntry> {
  readonly #steps: CommitSteps<E>;
  readonly #scheduler: Scheduler;
  /** Settle when all writers of durable batches are answered: those of urgent writes, and others. */
  readonly #answering = { urgent: Promise.resolve(), others: Promise.resolve() };
  readonly #waiting = new WaitingWrites<Waiting<E>>();
  #running = false;
  /** More than one write was in the last batch or waited behind it: others are likely to be on their way. */
  #isContended = false;
  #refusal: StoreError | undefined;
  #idle: (() => void)[] = [];

  constructor(steps: CommitSteps<E>, scheduler: Scheduler) {
    this.#steps = steps;
    this.#scheduler = scheduler;
  }

  /** Resolves to what `answer` makes of the outcome: one promise for each write, however many functions it comes through. */
  submit<T>(request: Request, answer: (outcome: Outcome<E>) => T, signal?: AbortSignal): Promise<T> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const answerWriter = (outcome: Outcome<E>): void => {
        try {
          resolve(answer(outcome));
        } catch (err) {
          reject(err);
        }
      };
      const waiting: Waiting<E> = {
        request,
        isUrgent: isUrgent(request),
        answer: answerWriter,
        reject,
        taken: nothing,
      };
      if (signal !== undefined) {
        const withdraw = (): void => {
          this.#waiting.remove(waiting);
          this.#noteBacklog();
          reject(signal.reason);
        };
        signal.addEventListener("abort", withdraw, { once: true });
        waiting.taken = () => signal.removeEventListener("abort", withdraw);
      }
      this.#waiting.push(waiting);
      this.#noteBacklog();
      this.#start();
    });
  }

  /** From now on nothing is taken; what was taken is finished first. */
  async drain(refusal: StoreError): Promise<void> {
    this.#refusal ??= refusal;
    if (this.#running) await new Promise<void>((resolve) => this.#idle.push(resolve));
    await Promise.all([this.#answering.urgent, this.#answering.others]);
  }

  /** The store is read-only from now on: waiting and later writes are rejected. */
  fail(error: StoreError): void {
    if (this.#refusal?.reason === "read-only") return;
    this.#refusal = new StoreError("read-only", `the store writes no more: ${error.message}`, { cause: error });
    for (const one of this.#waiting.takeAll()) {
      one.taken();
      one.reject(this.#refusal);
    }
    this.#noteBacklog();
    this.#steps.onFailed(error);
  }

  #start(): void {
    if (this.#running) return;
    this.#running = true;
    // Later, so that writes submitted together become one batch.
    queueMicrotask(() => void this.#run());
  }

  async #run(): Promise<void> {
    while (this.#waiting.size > 0) {
      if (this.#isContended) await this.#gather();
      const taken = this.#take();
      const { batch, outcomes } = this.#steps.plan(taken.map(({ request }) => request));
      try {
        if (batch !== undefined) {
          const durable = this.#steps.append(batch);
          if (durable !== undefined) await durable;
        }
      } catch (err) {
        this.#failed(taken, outcomes, err);
        continue;
      }
      this.#isContended = this.#steps.gathers && taken.length + this.#waiting.size > 1;
      if (batch !== undefined) this.#steps.publish(batch);
      this.#answerAll(taken, outcomes);
      if (this.#steps.gathers && this.#waiting.size === 0) await this.#scheduler.nextIteration();
    }
    this.#running = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #noteBacklog(): void {
    if (this.#steps.gathers) this.#scheduler.setBackpressure(this.#waiting.size >= backpressureRequests);
  }

  /** The next batch does not wait for it: its sync and these answers overlap. */
  #answerAll(taken: readonly Waiting<E>[], outcomes: readonly Outcome<E>[]): void {
    if (!this.#steps.gathers) {
      for (let i = 0; i < taken.length; i++) taken[i]!.answer(outcomes[i]!);
      return;
    }
    const urgent = taken.findIndex((one) => !one.isUrgent);
    const end = urgent < 0 ? taken.length : urgent;
    const answering = this.#answering;
    const scheduler = this.#scheduler;
    // The answers to urgent writes do not wait for those of earlier batches to others; the scheduler serves both in turn.
    if (end > 0)
      answering.urgent = answerInSlices(taken.slice(0, end), outcomes.slice(0, end), scheduler, answering.urgent);
    if (end < taken.length)
      answering.others = answerInSlices(taken.slice(end), outcomes.slice(end), scheduler, answering.others);
  }

  /**
   * Clients that were just answered send their next write within an iteration or two: without waiting they would always miss the
   * next batch, and there would be many small ones. Waits as long as each iteration brings more, until the batch is full: in a
   * process whose iterations take 10 ms or more, because it does other work as well, they would cost more than the sync.
   *
   * Not for a writer who is alone: a create at one in flight took 421 µs with that iteration and 351 without (one run, in process, beside
   * other programs and on a disk in memory). Where others come after all, they come while it is written, and the next batch waits for them.
   */
  async #gather(): Promise<void> {
    let before = 0;
    for (let iteration = 0; iteration < gatherIterations; iteration++) {
      const { size } = this.#waiting;
      if (size === before || size >= batchRequests) return;
      before = size;
      await this.#scheduler.nextIteration();
    }
  }

  #take(): Waiting<E>[] {
    let bytes = 0;
    const taken = this.#waiting.take({
      most: batchRequests,
      fits({ request }) {
        const fits = bytes < batchBytes;
        bytes += bytesOf(request);
        return fits;
      },
    });
    this.#noteBacklog();
    for (const one of taken) one.taken();
    return taken;
  }

  #failed(taken: readonly Waiting<E>[], outcomes: readonly Outcome<E>[], err: unknown): void {
    if (hasStoreReason(err, "full")) {
      // Refused whole. What makes room is tried again without the rest, and so is what lost to a write that has not happened.
      const again = taken.filter(({ request }, i) => makesRoom(request) || isUnsettled(outcomes[i]!));
      // Nothing that grows the store was in it: trying the same once more would not help.
      if (again.length < taken.length) {
        for (const one of taken) if (!again.includes(one)) one.reject(err);
        this.#waiting.putBack(again);
      } else {
        for (const one of taken) one.reject(err);
      }
      return;
    }
    const unknown = isStoreError(err)
      ? err
      : new StoreError("outcome-unknown", "the store failed while writing; whether the write happened is not known", {
          cause: err,
        });
    for (const one of taken) one.reject(unknown);
    this.fail(unknown);
  }
}

/** An answer with what its writer does next, as 128 in flight show. */
const microsPerAnswer = 200;

/** The writers of a batch would otherwise all go on at once: 128 of them take 30 ms. */
async function answerInSlices<E extends IndexEntry>(
  taken: readonly Waiting<E>[],
  outcomes: readonly Outcome<E>[],
  scheduler: Scheduler,
  before: Promise<void>,
): Promise<void> {
  await before;
  for (let i = 0; i < taken.length; i++) {
    taken[i]!.answer(outcomes[i]!);
    // What the writer does next runs while this waits, and counts.
    await scheduler.yield(microsPerAnswer);
  }
}

const nothing = (): void => undefined;

const isUnsettled = (outcome: Outcome<IndexEntry>): boolean => outcome.kind === "conflict" && outcome.unsettled;

function bytesOf(request: Request): number {
  if (request.do === "put") return request.write.value.length;
  if (request.do !== "transaction") return 0;
  let bytes = 0;
  for (const write of request.writes) if (write.op === "put") bytes += write.value.length;
  return bytes;
}
