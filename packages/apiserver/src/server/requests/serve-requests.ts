import { serviceUnavailable } from "@coxswain/apimachinery/status";
import type { Runtime } from "@coxswain/runtime";
import type { Soon } from "@coxswain/runtime/soon";
import { statusAnswer } from "../../request/answer.js";
import type { Handler } from "../../request/filter.js";
import { isLongRunning } from "../../request/long-running.js";
import type { RecentRequests } from "../../request/recent-requests.js";
import type { ApiRequest } from "../../request/request.js";
import type { RequestContext } from "../../request/request-context.js";
import type { ResponseSink } from "../../request/response-sink.js";
import type { RequestMetrics } from "../metrics/request-metrics.js";
import { ByteRecipient } from "./byte-recipient.js";
import { type AnsweredRequest, DataRecipient } from "./data-recipient.js";
import { openContext } from "./open-context.js";
import type { Recipient } from "./recipient.js";
import { Serving } from "./serving.js";
import type { StallWatch } from "./stall-watch.js";
import { UnreadAnswers } from "./unread-answers.js";

export interface RequestServerDeps {
  readonly handle: Handler;
  /** Its scheduler learns which users have requests in flight. */
  readonly runtime: Runtime;
  readonly requests: RequestMetrics;
  /** Called with how long requests have the thread to themselves. @default it is not measured */
  readonly stalls?: StallWatch;
  /** @default none are remembered */
  readonly recent?: RecentRequests | undefined;
}

export interface RequestServer {
  /** Never rejects: whatever goes wrong is an answer. */
  answer(request: ApiRequest): Promise<AnsweredRequest>;
  /** Answers and writes. Over when the response has ended. */
  serve(request: ApiRequest, sink: ResponseSink): Soon<void>;
  /** Ends watches one after the other, evenly over `ms`: their clients reconnect elsewhere, and not all at once. */
  endWatches(ms: number): Promise<void>;
  /** Resolves when the requests from sockets that are in flight now are answered; those that last as long as they are wanted aside. */
  answered(): Promise<void>;
  /** Ends what is under way: nobody else ends a request of this process, as a closed socket ends one from outside. */
  cut(): void;
  /** Resolves when nothing is in flight. */
  drained(): Promise<void>;
  /** The same for requests from sockets alone: one of this process may wait for a clock that its caller has stopped. */
  disconnected(): Promise<void>;
}

/** Runs requests through the filters and writes their responses; counts and logs them afterwards. */
export function createRequestServer(deps: RequestServerDeps): RequestServer {
  const { ioClock, log, scheduler } = deps.runtime;
  const unread = new UnreadAnswers({
    ioClock,
    onCut: ({ request, user }) =>
      log.warn("an answer was cut: its client has too many that it does not read", {
        path: request.path,
        user: user.name,
      }),
  });
  const recipientDeps = { ...deps, unread };
  const inFlight = new Set<Serving>();
  const fromSockets = new Set<Serving>();
  /** Requests of this process are refused from now on, as those from outside by the closed port. */
  let isCut = false;
  const areOver = async (all: readonly Serving[]): Promise<void> =>
    void (await Promise.all(all.map(({ done }) => done)));

  function* contexts(): Generator<RequestContext, void> {
    for (const { context } of inFlight) yield context;
  }
  deps.stalls?.watch(contexts);

  function run(context: RequestContext, recipient: Recipient): Soon<void> {
    const serving = new Serving(context, recipient, deps);
    const done = serving.run();
    if (!(done instanceof Promise)) return;
    inFlight.add(serving);
    if (recipient instanceof ByteRecipient) fromSockets.add(serving);
    const flow = isWatch(serving) ? undefined : context.user?.name;
    if (flow !== undefined) scheduler.began(flow);
    return (serving.done = done.then(() => {
      inFlight.delete(serving);
      fromSockets.delete(serving);
      if (flow !== undefined) scheduler.ended(flow);
    }));
  }

  return {
    answer: (request) =>
      isCut
        ? Promise.resolve(refusal)
        : new Promise((resolve) => void run(openContext(request, deps.runtime), new DataRecipient(resolve))),
    serve: (request, sink) => run(openContext(request, deps.runtime), new ByteRecipient(sink, recipientDeps)),
    async endWatches(ms) {
      const all = [...inFlight].filter(isWatch);
      for (const { context } of all) {
        context.expire(goingAway);
        if (ms > 0) await new Promise<void>((resolve) => void ioClock.setTimer(ms / all.length, resolve));
      }
    },
    cut() {
      isCut = true;
      for (const { context } of inFlight) context.expire(goingAway);
    },
    answered: () => areOver([...fromSockets].filter(({ context }) => !isLongRunning(context.info))),
    drained: () => areOver([...inFlight]),
    disconnected: () => areOver([...fromSockets]),
  };
}

const isWatch = ({ context }: Serving): boolean => context.info.verb === "watch";

const goingAway = new Error("the server is shutting down");
const refusal: AnsweredRequest = {
  answer: statusAnswer(serviceUnavailable(goingAway.message).status),
  code: 503,
  warnings: [],
};
