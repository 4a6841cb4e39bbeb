import { type Soon, whenKnown } from "@coxswain/runtime/soon";
import { textAnswer } from "../endpoints/router-errors.js";
import type { ClassifiedFlow } from "../flow-control/classifier.js";
import type { FairRequest } from "../flow-control/fair-request.js";
import { onceInitialised } from "../flow-control/watch-initialisation.js";
import type { Answer } from "../request/answer.js";
import type { Filter, Handler } from "../request/filter.js";
import { isLongRunning } from "../request/long-running.js";
import type { RequestContext } from "../request/request-context.js";
import {
  atOnceOf,
  type FairnessLimits,
  noteRefusal,
  RequestSeats,
  release,
  tooMany,
  whenDispatched,
} from "./request-seats.js";

/**
 * Priority and fairness: a request executes when it has its seats, and waits for them in its flow's queue. They are released when the response was written
 * or waits for its client to read; those of a watch when its initial events were sent, or wait for its client. A
 * request that finds free seats passes without a promise of its own.
 */
export const priorityAndFairness = (limits: FairnessLimits): Filter => {
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
  const atOnce = atOnceOf(limits, context);
  atOnce.add(1);
  if (context.info.verb === "watch") return runWatch(limits, context, flow, request, next);
  const seats = new RequestSeats(limits, context, flow, request);
  context.seats = seats;
  context.onAnswered = () => seats.end();
  return next(context);
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
  context.seats = {
    get isHeld() {
      return !isDone;
    },
    during: (arriving) => arriving,
    release: done,
  };
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

/** Executes when the request is dispatched; refuses it when it waited too long or its client is gone. */
function runWhenDispatched(
  limits: FairnessLimits,
  context: RequestContext,
  flow: ClassifiedFlow,
  request: FairRequest,
  next: Handler,
): Promise<Answer> {
  return new Promise((resolve, reject) =>
    whenDispatched(limits, context, flow, request, (mayRun) => {
      try {
        resolve(mayRun ? run(limits, context, flow, request, next) : refuse(limits, context, flow));
      } catch (err) {
        reject(err as Error);
      }
    }),
  );
}

function refuse(limits: FairnessLimits, context: RequestContext, flow: ClassifiedFlow): Answer {
  noteRefusal(limits, context, flow);
  return textAnswer(429, `${tooMany}\n`, { "retry-after": String(flow.level.retryAfter.seconds) });
}
