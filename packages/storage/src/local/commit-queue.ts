import type { TaskScheduler } from "@coxswain/apimachinery/task-scheduler";
import { hasStoreReason, isStoreError, StoreError } from "../store-error.js";
import type { Batch, IndexEntry, Journal } from "./journal.js";
import { nextIteration } from "./next-iteration.js";
import type { BatchPlan } from "./plan-batch.js";
import { makesRoom, type Outcome, type Request } from "./request.js";

/** A batch takes requests until it is this large; the rest waits for the next one. */
const batchBytes = 8 * 1024 * 1024;
const batchRequests = 128;
/** While so many writes wait behind a batch, the disk is the bottleneck, and the scheduler is notified (backpressure). */
const backpressureRequests = 16;
/** A batch waits so many iterations of the event loop for more writes, at most. */
const gatherIterations = 8;

interface Waiting<E extends IndexEntry> {
  readonly request: Request;
  /** Resolves the writer's promise. */
  readonly answer: (outcome: Outcome<E>) => void;
  readonly reject: (reason: unknown) => void;
  /** Called when it is in a batch: from now on an abort has no effect. */
  taken: () => void;
}

export interface CommitSteps<E extends IndexEntry> {
  /** Whether a batch waits for more writes: with a disk behind it, one sync for many is worth the delay. */
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
 * only when the one before is durable, so a plan never rests on something that may still fail.
 *
 * Order for each batch: durable, visible to reads, handed to watchers, then its writers are answered.
 */
export class CommitQueue<E extends IndexEntry> {
  readonly #steps: CommitSteps<E>;
  readonly #scheduler: TaskScheduler | undefined;
  /** Settles when all writers of durable batches are answered. */
  #answering = Promise.resolve();
  #waiting: Waiting<E>[] = [];
  #running = false;
  #refusal: StoreError | undefined;
  #idle: (() => void)[] = [];

  /** @param scheduler lets others run between two answers. @default all writers of a batch are answered at once */
  constructor(steps: CommitSteps<E>, scheduler?: TaskScheduler) {
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
      const waiting: Waiting<E> = { request, answer: answerWriter, reject, taken: nothing };
      if (signal !== undefined) {
        const withdraw = (): void => {
          const at = this.#waiting.indexOf(waiting);
          if (at >= 0) this.#waiting.splice(at, 1);
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
    await this.#answering;
  }

  /** The store is read-only from now on: waiting and later writes are rejected. */
  fail(error: StoreError): void {
    if (this.#refusal?.reason === "read-only") return;
    this.#refusal = new StoreError("read-only", `the store writes no more: ${error.message}`, { cause: error });
    for (const one of this.#waiting.splice(0)) {
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
    while (this.#waiting.length > 0) {
      if (this.#steps.gathers) await this.#gather();
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
      if (batch !== undefined) this.#steps.publish(batch);
      this.#answerAll(taken, outcomes);
      if (this.#steps.gathers && this.#waiting.length === 0) await nextIteration();
    }
    this.#running = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #noteBacklog(): void {
    this.#scheduler?.setBackpressure(this.#waiting.length >= backpressureRequests);
  }

  /** The next batch does not wait for it: its sync and these answers overlap. */
  #answerAll(taken: readonly Waiting<E>[], outcomes: readonly Outcome<E>[]): void {
    const scheduler = this.#scheduler;
    if (scheduler === undefined) for (let i = 0; i < taken.length; i++) taken[i]!.answer(outcomes[i]!);
    else this.#answering = this.#answerInSlices(taken, outcomes, scheduler, this.#answering);
  }

  /** The writers of a batch would otherwise all go on at once: 128 of them take 30 ms. */
  async #answerInSlices(
    taken: readonly Waiting<E>[],
    outcomes: readonly Outcome<E>[],
    scheduler: TaskScheduler,
    before: Promise<void>,
  ): Promise<void> {
    await before;
    for (let i = 0; i < taken.length; i++) {
      taken[i]!.answer(outcomes[i]!);
      // What the writer does next runs while this waits, and counts.
      await scheduler.yieldIfDue();
    }
  }

  /**
   * Clients that were just answered send their next write within an iteration or two: without waiting they would always miss the
   * next batch, and there would be many small ones. Waits as long as each iteration brings more.
   */
  async #gather(): Promise<void> {
    for (let iteration = 0, before = 0; iteration < gatherIterations && this.#waiting.length > before; iteration++) {
      before = this.#waiting.length;
      await nextIteration();
    }
  }

  #take(): Waiting<E>[] {
    let bytes = 0;
    let count = 0;
    while (count < this.#waiting.length && count < batchRequests && bytes < batchBytes)
      bytes += bytesOf(this.#waiting[count++]!.request);
    const taken = count === this.#waiting.length ? this.#waiting : this.#waiting.slice(0, count);
    this.#waiting = count === this.#waiting.length ? [] : this.#waiting.slice(count);
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
        this.#waiting = [...again, ...this.#waiting];
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

const nothing = (): void => undefined;

const isUnsettled = (outcome: Outcome<IndexEntry>): boolean => outcome.kind === "conflict" && outcome.unsettled;

function bytesOf(request: Request): number {
  if (request.do === "put") return request.write.value.length;
  if (request.do !== "transaction") return 0;
  let bytes = 0;
  for (const write of request.writes) if (write.op === "put") bytes += write.value.length;
  return bytes;
}
