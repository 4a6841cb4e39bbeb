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
  /** Told of every request that was refused. */
  readonly onRefused: (context: RequestContext) => void;
}

/** Whatever time a request has. */
const mostWaitMs = 60_000;

const reading = new Set(["get", "list", "watch"]);

/**
 * Gives every request its seats, or lets it wait for them in its flow's queue. The seats are free again when the answer has been written;
 * a watch keeps them until it has sent what it begins with. A request that finds its seats free passes without a promise of its own.
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
    if (started.state === "waiting") return runInTurn(limits, context, flow, started, next);
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
    giveBack(control, flow, request);
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
    giveBack(control, flow, request);
  };
  const forget = control.watches.add(context.info);
  context.onAnswered = () => {
    done();
    forget();
  };
  return whenKnown(next(context), (answer) => {
    if (answer.as === "watch") return onceInitialised(answer, done);
    if (answer.as === "upgraded") done();
    return answer;
  });
}

/** Its seats are free. */
function giveBack(control: FlowControl, { level }: ClassifiedFlow, request: FairRequest): void {
  level.queueSet.finish(request);
  if (level.isQuiescing && control.priorities.retire(level)) control.refresh();
}

/** Runs when it may; is refused when it waited too long or its client is gone. */
function runInTurn(
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
    const giveUp = (): void => queueSet.cancel(request);
    let stay = (): void => {};
    const timer = control.clock.setTimer(
      Math.min(allowedTime(context, control.requestTimeoutMs) / 4, mostWaitMs),
      giveUp,
    );
    request.decide = (mayRun) => {
      timer.cancel();
      stay();
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
    stay = context.request.whenGone(giveUp);
  });
}

function refuse({ control, onRefused }: FairnessLimits, context: RequestContext, { level }: ClassifiedFlow): Answer {
  onRefused(context);
  level.retryAfter.refused(Math.floor(control.clock.now() / 1000));
  return textAnswer(429, "Too many requests, please try again later.\n", {
    "retry-after": String(level.retryAfter.seconds),
  });
}
