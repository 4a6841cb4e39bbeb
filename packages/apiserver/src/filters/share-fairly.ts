import { isLongRunning } from "../request/long-running.js";
import { textAnswer } from "../endpoints/router-errors.js";
import type { RequestContext } from "../request/request-context.js";
import type { ClassifiedFlow } from "../flow-control/classifier.js";
import type { FairRequest } from "../flow-control/fair-request.js";
import type { FlowControl } from "../flow-control/flow-control.js";
import { onceInitialised } from "../flow-control/watch-initialisation.js";
import type { Answer } from "../request/answer.js";
import type { Watermark } from "../metrics/watermark.js";
import { type Soon, whenKnown } from "../runtime/soon.js";
import type { Filter, Handler } from "../request/filter.js";
import { allowedTime } from "./limit-time.js";

export interface FairnessLimits {
  readonly control: FlowControl;
  /** Counted for the metrics; nothing is refused because of them. */
  readonly readOnly: Watermark;
  readonly mutating: Watermark;
  /** Called for every refused request. */
  readonly onRefused: (context: RequestContext) => void;
}

/** Upper limit of the wait in a queue, whatever the request's time-out. */
const maxWaitMs = 60_000;

const reading = new Set(["get", "list", "watch"]);

/**
 * Priority and fairness: a request executes when it has its seats, and waits for them in its flow's queue. They are released when the response was written;
 * those of a watch when its initial events were sent. A request that finds free seats passes without a promise of its own.
 */
export const shareFairly = (limits: FairnessLimits): Filter => {
  const { control } = limits;
  return (context, next) => {
    const isWatch = context.info.verb === "watch";
    if (!isWatch && isLongRunning(context.info)) return next(context);
    const flow = control.flowOf(context);
    const { headers } = flow.schema;
    context.extraHeaders = context.extraHeaders ? { ...context.extraHeaders, ...headers } : headers;
    const work = control.workOf(context, flow);
    const times = control.timesOf(flow);
    times.estimated(Math.max(work.initialSeats, work.finalSeats));
    const started = flow.level.queueSet.start(flow, context, work);
    if (typeof started === "string") {
      times.refused(0);
      return refuse(limits, context, flow);
    }
    if (started.state === "waiting") return runWhenDispatched(limits, context, flow, started, next);
    if (!flow.level.isExempt) times.waited(0);
    return run(limits, context, flow, started, next);
  };
};

function run(
  limits: FairnessLimits,
  context: RequestContext,
  flow: ClassifiedFlow,
  request: FairRequest,
  next: Handler,
): Soon<Answer> {
  const atOnce = reading.has(context.info.verb) ? limits.readOnly : limits.mutating;
  atOnce.add(1);
  if (context.info.verb === "watch") return runWatch(limits, context, flow, request, next);
  holdUntilAnswered(limits.control, context, flow, request, atOnce);
  return next(context);
}

function holdUntilAnswered(
  control: FlowControl,
  context: RequestContext,
  flow: ClassifiedFlow,
  request: FairRequest,
  atOnce: Watermark,
): void {
  context.onAnswered = () => {
    atOnce.add(-1);
    control.timesOf(flow).executed(control.clock.monotonic() - request.startedMs);
    release(control, flow, request);
  };
}

function runWatch(
  { control, readOnly }: FairnessLimits,
  context: RequestContext,
  flow: ClassifiedFlow,
  request: FairRequest,
  next: Handler,
): Soon<Answer> {
  let isDone = false;
  const done = (): void => {
    if (isDone) return;
    isDone = true;
    readOnly.add(-1);
    control.timesOf(flow).initialised(control.clock.monotonic() - request.startedMs);
    release(control, flow, request);
  };
  const forget = control.watches.add(context.info);
  context.onAnswered = () => {
    done();
    forget();
  };
  return whenKnown(next(context), (answer) => {
    if (answer.as === "watch") return onceInitialised(answer, done);
    // The events of an aggregated server are not for this one to count.
    if (answer.as === "upgraded" || answer.as === "stream") done();
    return answer;
  });
}

/** Releases its seats. */
function release(control: FlowControl, { level }: ClassifiedFlow, request: FairRequest): void {
  level.queueSet.finish(request);
  if (level.isQuiescing && control.priorities.retire(level)) control.refresh();
}

/** Executes when the request is dispatched; refuses it when it waited too long or its client is gone. */
function runWhenDispatched(
  limits: FairnessLimits,
  context: RequestContext,
  flow: ClassifiedFlow,
  request: FairRequest,
  next: Handler,
): Promise<Answer> {
  const { control } = limits;
  const { queueSet } = flow.level;
  const waiting = reading.has(context.info.verb) ? control.waiting.readOnly : control.waiting.mutating;
  waiting.add(1);
  return new Promise((resolve, reject) => {
    const cancel = (): void => queueSet.cancel(request);
    let removeListener = (): void => {};
    const timer = control.clock.setTimer(
      Math.min(allowedTime(context, control.requestTimeoutMs) / 4, maxWaitMs),
      cancel,
    );
    request.decide = (mayRun) => {
      timer.cancel();
      removeListener();
      waiting.add(-1);
      const times = control.timesOf(flow);
      const ms = control.clock.monotonic() - request.arrivedMs;
      context.queuedMs = ms;
      context.latencies?.add("apf-queue-wait", ms);
      if (mayRun) times.waited(ms);
      else times.refused(ms);
      try {
        resolve(mayRun ? run(limits, context, flow, request, next) : refuse(limits, context, flow));
      } catch (err) {
        reject(err as Error);
      }
    };
    removeListener = context.request.whenGone(cancel);
  });
}

function refuse({ control, onRefused }: FairnessLimits, context: RequestContext, { level }: ClassifiedFlow): Answer {
  onRefused(context);
  level.retryAfter.refused(Math.floor(control.clock.now() / 1000));
  return textAnswer(429, "Too many requests, please try again later.\n", {
    "retry-after": String(level.retryAfter.seconds),
  });
}
