import type { Clock } from "@coxswain/apimachinery/clock";
import type { RandomSource } from "@coxswain/apimachinery/random";
import { internalError } from "@coxswain/apimachinery/status";
import type { Logger } from "@coxswain/component/log";
import { AuditedSink } from "../audit/audited-sink.js";
import { auditInProcess } from "../audit/audit-in-process.js";
import type { RequestContext } from "../endpoints/request-context.js";
import { respond } from "../endpoints/respond/respond.js";
import type { Handler } from "../filters/filter.js";
import { logAccess } from "./access-log.js";
import { type Answer, statusAnswer } from "./answer.js";
import type { RequestMetrics } from "./metrics/request-metrics.js";
import { openContext } from "./open-context.js";
import type { ApiRequest } from "./request.js";
import type { ResponseSink } from "./response-sink.js";
import { attempt, type Soon, whenKnown } from "../soon.js";

export interface RequestServerDeps {
  readonly handle: Handler;
  readonly random: RandomSource;
  readonly ioClock: Clock;
  readonly log: Logger;
  readonly requests: RequestMetrics;
}

export interface RequestServer {
  /** Never rejects: whatever goes wrong is an answer. */
  answer(request: ApiRequest): Promise<Answer>;
  /** Answers and writes. Over when the response has ended. */
  serve(request: ApiRequest, sink: ResponseSink): Soon<void>;
  /** Ends watches one after the other, evenly over `ms`: their clients come back elsewhere, and not all at once. */
  endWatches(ms: number): Promise<void>;
  /** Resolves when nothing is under way but watches. */
  settled(): Promise<void>;
  /** Resolves when nothing is under way. */
  drained(): Promise<void>;
}

/** Carries requests through the filters and their answers to the client; counts and logs them afterwards. */
export function createRequestServer({ handle, random, ioClock, log, requests }: RequestServerDeps): RequestServer {
  const underWay = new Set<Promise<void>>();
  const watches = new Map<Promise<void>, RequestContext>();

  const write = (context: RequestContext, out: ResponseSink): Soon<void> => {
    let ended: () => void = () => {};
    let sink = out;
    const put = (answer: Answer): Soon<void> => {
      if (context.audit) sink = new AuditedSink(out, context.audit);
      ended = requests.began(context);
      if (answer.as === "watch") context.onWatchEvent = requests.watchEvents(answer.kind);
      return respond(answer, context.form, context, sink, ioClock);
    };
    const fail = (err: unknown): Soon<void> => {
      if (!context.request.signal.aborted) log.error("response failed", { path: context.request.path, error: err });
      if (sink.headersSent) return sink.abort();
      return respond(statusAnswer(internalError(err instanceof Error ? err.message : String(err)).status), context.form, context, sink, ioClock);
    };
    const over = (): Soon<void> => {
      ended();
      context.onAnswered?.();
      if (context.audit) return whenKnown(context.audit.end(), () => {});
    };
    const tell = (): Soon<void> => attempt(() => whenKnown(handle(context), put), fail);
    return whenKnown(attempt(tell, giveUp(context, out)), over);
  };

  /** Whatever mistake of ours is behind it, one request must not end the server. */
  const giveUp =
    ({ request }: RequestContext, sink: ResponseSink) =>
    (err: unknown): void => {
      log.error("request broken", { path: request.path, error: err });
      sink.abort();
    };

  return {
    async answer(request) {
      const began = ioClock.monotonic();
      const context = openContext(request, random);
      const answer = await Promise.resolve(handle(context)).finally(() => context.onAnswered?.());
      const code = codeOf(answer);
      requests.answered(context, { code, bytes: 0, ms: ioClock.monotonic() - began });
      return context.audit ? auditInProcess(context.audit, answer, code, context) : answer;
    },
    serve(request, sink) {
      const began = ioClock.monotonic();
      const context = openContext(request, random);
      const answered = (): void => {
        const outcome = { code: sink.code, bytes: sink.bytes, ms: ioClock.monotonic() - began };
        requests.answered(context, outcome);
        logAccess(log, context, outcome);
      };
      const writing = attempt(() => whenKnown(write(context, sink), answered), giveUp(context, sink));
      if (!(writing instanceof Promise)) return;
      const done = writing.finally(() => {
        underWay.delete(done);
        watches.delete(done);
      });
      underWay.add(done);
      if (context.info.verb === "watch") watches.set(done, context);
      return done;
    },
    async endWatches(ms) {
      const all = [...watches.values()];
      for (const context of all) {
        context.expire(goingAway);
        if (ms > 0) await new Promise<void>((resolve) => void ioClock.setTimer(ms / all.length, resolve));
      }
    },
    settled: async () => void (await Promise.all([...underWay].filter((done) => !watches.has(done)))),
    drained: async () => void (await Promise.all(underWay)),
  };
}

const goingAway = new Error("the server is about to end");

function codeOf(answer: Answer): number {
  switch (answer.as) {
    case "object":
    case "document":
    case "stream":
      return answer.code;
    case "status":
      return answer.status.code ?? 200;
    case "list":
    case "watch":
      return 200;
    case "upgraded":
      return 101;
  }
}
