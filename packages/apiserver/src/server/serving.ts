import type { Runtime } from "@coxswain/runtime";
import { internalError } from "@coxswain/apimachinery/status";
import { AuditedSink } from "../audit/audited-sink.js";
import type { RequestContext } from "../request/request-context.js";
import { respond } from "../endpoints/respond/respond.js";
import type { Handler } from "../request/filter.js";
import type { Soon } from "@coxswain/runtime/soon";
import type { StallWatch } from "./stall-watch.js";
import type { UnreadAnswers } from "./unread-answers.js";
import { logAccess } from "./access-log.js";
import { type Answer, statusAnswer } from "../request/answer.js";
import type { RequestMetrics } from "./metrics/request-metrics.js";
import type { ResponseSink } from "../request/response-sink.js";

const notRead = new Error("the client did not read the answer in time");

export interface ServingDeps {
  readonly handle: Handler;
  readonly runtime: Runtime;
  readonly requests: RequestMetrics;
  readonly unread: UnreadAnswers;
  readonly stalls?: StallWatch;
}

/** One request from its arrival to the last byte of its response. One object with few promises: there may be thousands. */
export class Serving {
  /** Resolves when it is over; undefined for one that was over at once. */
  done: Promise<void> | undefined = undefined;
  readonly context: RequestContext;
  readonly #out: ResponseSink;
  #sink: ResponseSink;
  readonly #deps: ServingDeps;
  readonly #began: number;
  #ended: (() => void) | undefined;

  constructor(context: RequestContext, sink: ResponseSink, deps: ServingDeps) {
    this.context = context;
    this.#out = sink;
    this.#sink = sink;
    this.#deps = deps;
    this.#began = deps.runtime.ioClock.monotonic();
  }

  /** Over when the response has ended. Never fails: whatever mistake of ours is behind it, one request must not end the server. */
  run(): Soon<void> {
    const over = this.#start();
    const { stalls, runtime } = this.#deps;
    stalls?.ran(this.context, runtime.ioClock.monotonic() - this.#began);
    return over;
  }

  #start(): Soon<void> {
    try {
      const answer = this.#deps.handle(this.context);
      return answer instanceof Promise
        ? answer.then(
            (late) => this.#carryOutLater(late),
            (err: unknown) => this.#broken(err),
          )
        : this.#carryOut(answer);
    } catch (err) {
      return this.#broken(err);
    }
  }

  #carryOutLater(answer: Answer): Soon<void> {
    const { stalls, runtime } = this.#deps;
    const began = runtime.ioClock.monotonic();
    const over = this.#carryOut(answer);
    stalls?.ran(this.context, runtime.ioClock.monotonic() - began);
    return over;
  }

  #carryOut(answer: Answer): Soon<void> {
    try {
      const writing = this.#write(answer);
      if (writing instanceof Promise)
        return this.#inTime(writing.then(() => this.#sink.flushed())).then(
          () => this.#end(),
          (err: unknown) => this.#broken(err),
        );
      const flushing = this.#sink.flushed();
      if (flushing instanceof Promise) return this.#inTime(flushing).then(() => this.#end());
    } catch (err) {
      return this.#broken(err);
    }
    return this.#end();
  }

  /** A client that has not read its answer when the request's time is over does not get the rest. */
  #inTime(writing: Promise<void>): Promise<void> {
    const { context } = this;
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

  async #broken(err: unknown): Promise<void> {
    await this.#fail(err);
    await this.#end();
  }

  #end(): Soon<void> {
    try {
      this.#over();
      const ended = this.context.audit?.end();
      if (ended instanceof Promise)
        return ended.then(
          () => {},
          (err: unknown) => this.#giveUp(err),
        );
    } catch (err) {
      this.#giveUp(err);
    }
  }

  #write(answer: Answer): Soon<void> {
    const { context } = this;
    const { requests, runtime } = this.#deps;
    if (context.audit) this.#sink = new AuditedSink(this.#out, context.audit);
    this.#ended = requests.began(context);
    if (answer.as === "watch") context.onWatchEvent = requests.watchEvents(answer.kind);
    return respond(answer, context.form, context, this.#sink, runtime.ioClock);
  }

  async #fail(err: unknown): Promise<void> {
    const { context } = this;
    if (!context.signal.aborted)
      this.#deps.runtime.log.error("response failed", { path: context.request.path, error: err });
    try {
      if (this.#sink.headersSent) this.#sink.abort();
      else
        await respond(
          statusAnswer(internalError(err instanceof Error ? err.message : String(err)).status),
          context.form,
          context,
          this.#sink,
          this.#deps.runtime.ioClock,
        );
    } catch (again) {
      this.#giveUp(again);
    }
  }

  /** The response has been written, or cannot be: releases what is held for the request (its seats), and counts it. */
  #over(): void {
    const { context } = this;
    this.#ended?.();
    context.onAnswered?.();
    context.releaseMemory?.();
    const outcome = {
      code: this.#out.code,
      bytes: this.#out.bytes,
      ms: this.#deps.runtime.ioClock.monotonic() - this.#began,
    };
    this.#deps.requests.answered(context, outcome);
    logAccess(this.#deps.runtime.log, context, outcome);
  }

  #giveUp(err: unknown): void {
    this.#deps.runtime.log.error("request broken", { path: this.context.request.path, error: err });
    this.#out.abort();
  }
}
