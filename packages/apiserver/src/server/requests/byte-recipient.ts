import { internalError } from "@coxswain/apimachinery/status";
import type { Runtime } from "@coxswain/runtime";
import type { Soon } from "@coxswain/runtime/soon";
import { AuditedSink } from "../../audit/audited-sink.js";
import { respond } from "../../endpoints/respond/respond.js";
import { type Answer, statusAnswer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";
import type { ResponseSink } from "../../request/response-sink.js";
import type { RequestMetrics } from "../metrics/request-metrics.js";
import type { Recipient } from "./recipient.js";
import type { UnreadAnswers } from "./unread-answers.js";

const notRead = new Error("the client did not read the answer in time");

export interface ByteRecipientDeps {
  readonly runtime: Runtime;
  readonly requests: Pick<RequestMetrics, "watchEvents">;
  readonly unread: UnreadAnswers;
}

/** Writes answers into a response, in the form that the client wants. */
export class ByteRecipient implements Recipient {
  readonly #out: ResponseSink;
  /** The same, or the audit log's view of it. */
  #sink: ResponseSink;
  readonly #deps: ByteRecipientDeps;

  constructor(sink: ResponseSink, deps: ByteRecipientDeps) {
    this.#out = sink;
    this.#sink = sink;
    this.#deps = deps;
  }

  get code(): number {
    return this.#out.code;
  }

  get bytes(): number {
    return this.#out.bytes;
  }

  take(answer: Answer, context: RequestContext): Soon<void> {
    const { requests } = this.#deps;
    if (context.audit) this.#sink = new AuditedSink(this.#out, context.audit);
    if (answer.as === "watch") context.onWatchEvent = requests.watchEvents(answer.kind);
    const writing = this.#respond(answer, context);
    if (writing instanceof Promise)
      return this.#inTime(
        writing.then(() => this.#sink.flushed()),
        context,
      );
    const flushing = this.#sink.flushed();
    return flushing instanceof Promise ? this.#inTime(flushing, context) : undefined;
  }

  fail(error: unknown, context: RequestContext): Soon<void> {
    if (this.#sink.headersSent) return this.#sink.abort();
    const { status } = internalError(error instanceof Error ? error.message : String(error));
    return this.#respond(statusAnswer(status), context);
  }

  abort(): void {
    this.#out.abort();
  }

  over(): void {}

  #respond(answer: Answer, context: RequestContext): Soon<void> {
    return respond(answer, context.form, context, this.#sink, this.#deps.runtime.ioClock);
  }

  /** A client that has not read its answer when the request's time is over does not get the rest. */
  #inTime(writing: Promise<void>, context: RequestContext): Promise<void> {
    const { runtime, unread } = this.#deps;
    const { clock, log } = runtime;
    const stop = unread.follow(context, this.#sink);
    if (context.deadline === Number.POSITIVE_INFINITY) return writing.finally(stop);
    const timer = clock.setTimer(Math.max(0, context.deadline - clock.monotonic()), () => {
      log.warn("the client did not read its answer in time", { path: context.request.path, user: context.user.name });
      context.expire(notRead);
      this.#sink.abort();
    });
    return writing.finally(() => {
      timer.cancel();
      stop();
    });
  }
}
