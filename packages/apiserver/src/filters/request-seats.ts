import { tooManyRequests } from "@coxswain/apimachinery/status";
import type { Soon } from "@coxswain/runtime/soon";
import type { ClassifiedFlow } from "../flow-control/classifier.js";
import type { FairRequest } from "../flow-control/fair-request.js";
import type { FlowControl } from "../flow-control/flow-control.js";
import type { Watermark } from "../metrics/watermark.js";
import { clientWaitMs, type HeldSeats } from "../request/held-seats.js";
import type { QueuedIn, RequestContext } from "../request/request-context.js";
import { allowedTime } from "./limit-time.js";

export interface FairnessLimits {
  readonly control: FlowControl;
  /** Counted for the metrics; nothing is refused because of them. */
  readonly readOnly: Watermark;
  readonly mutating: Watermark;
  /** Called for every refused request. */
  readonly onRefused: (context: RequestContext) => void;
}

/** Queue time-out: upper limit of the wait in a queue, whatever the request's time-out. */
const maxWaitMs = 60_000;

const reading = new Set(["get", "list", "watch"]);

export const tooMany = "Too many requests, please try again later.";

export const atOnceOf = ({ readOnly, mutating }: FairnessLimits, { info }: RequestContext): Watermark =>
  reading.has(info.verb) ? readOnly : mutating;

/** The seats of a request that is no watch. */
export class RequestSeats implements HeldSeats {
  readonly #limits: FairnessLimits;
  readonly #context: RequestContext;
  #flow: ClassifiedFlow;
  #request: FairRequest | undefined;
  #isOver = false;

  constructor(limits: FairnessLimits, context: RequestContext, flow: ClassifiedFlow, request: FairRequest) {
    this.#limits = limits;
    this.#context = context;
    this.#flow = flow;
    this.#request = request;
  }

  get isHeld(): boolean {
    return this.#request !== undefined;
  }

  /** The request has been answered: it takes no seats any more, whatever still arrives. */
  end(): void {
    this.#isOver = true;
    this.release();
  }

  release(): void {
    const request = this.#request;
    if (!request) return;
    this.#request = undefined;
    const { control } = this.#limits;
    atOnceOf(this.#limits, this.#context).add(-1);
    control.timesOf(this.#flow).executed(control.clock.monotonic() - request.startedMs);
    release(control, this.#flow, request);
  }

  async during<T>(arriving: Promise<T>): Promise<T> {
    if (this.#flow.level.isExempt) return arriving;
    const timer = this.#limits.control.clock.setTimer(clientWaitMs, () => {
      // Nothing was written yet: no events are on their way to watchers.
      if (this.#request) this.#request.additionalMs = 0;
      this.release();
    });
    const arrived = await arriving.finally(() => timer.cancel());
    if (!this.#request && !this.#isOver) await this.#retake();
    return arrived;
  }

  #retake(): Soon<void> {
    const context = this.#context;
    const { control } = this.#limits;
    const flow = (this.#flow = control.flowOf(context)); // the configuration may have changed
    const started = flow.level.queueSet.start(flow, context, control.workOf(context, flow));
    if (typeof started === "string") throw this.#refused(flow, 0);
    if (started.state !== "waiting") return this.#hold(started);
    return new Promise((resolve, reject) =>
      whenDispatched(this.#limits, context, flow, started, (mayRun) => {
        if (mayRun) resolve(this.#hold(started));
        else reject(this.#refused(flow));
      }),
    );
  }

  #hold(request: FairRequest): void {
    this.#request = request;
    atOnceOf(this.#limits, this.#context).add(1);
    if (this.#isOver) this.release();
  }

  #refused(flow: ClassifiedFlow, ms?: number): Error {
    if (ms !== undefined) this.#limits.control.timesOf(flow).refused(ms);
    noteRefusal(this.#limits, this.#context, flow);
    return tooManyRequests(tooMany, flow.level.retryAfter.seconds);
  }
}

/** Releases its seats. */
export function release(control: FlowControl, { level }: ClassifiedFlow, request: FairRequest): void {
  level.queueSet.finish(request);
  if (level.isQuiescing && control.priorities.retire(level)) control.refresh();
}

/** Calls back once: with true when a waiting request has its seats, with false when it waited too long or its client is gone. */
export function whenDispatched(
  { control }: FairnessLimits,
  context: RequestContext,
  flow: ClassifiedFlow,
  request: FairRequest,
  then: (mayRun: boolean) => void,
): void {
  const { queueSet } = flow.level;
  context.queuedIn = queuedIn(flow, queueSet.waiting - 1);
  const waiting = reading.has(context.info.verb) ? control.waiting.readOnly : control.waiting.mutating;
  waiting.add(1);
  const cancel = (): void => queueSet.cancel(request);
  let removeListener = (): void => {};
  const timer = control.clock.setTimer(Math.min(allowedTime(context, control.requestTimeoutMs) / 4, maxWaitMs), cancel);
  request.decide = (mayRun) => {
    timer.cancel();
    removeListener();
    waiting.add(-1);
    const times = control.timesOf(flow);
    const ms = control.clock.monotonic() - request.arrivedMs;
    context.queuedMs += ms;
    context.latencies?.add("apf-queue-wait", ms);
    if (mayRun) times.waited(ms);
    else times.refused(ms);
    then(mayRun);
  };
  removeListener = context.request.whenGone(cancel);
}

const queuedIn = ({ schema, level }: ClassifiedFlow, others: number): QueuedIn => ({
  flowSchema: schema.name,
  priorityLevel: level.name,
  others,
});

export function noteRefusal(
  { control, onRefused }: FairnessLimits,
  context: RequestContext,
  flow: ClassifiedFlow,
): void {
  const { level } = flow;
  context.queuedIn ??= queuedIn(flow, level.queueSet.waiting);
  onRefused(context);
  level.retryAfter.refused(Math.floor(control.clock.now() / 1000));
}
