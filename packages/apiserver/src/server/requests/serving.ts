import type { Runtime } from "@coxswain/runtime";
import type { Soon } from "@coxswain/runtime/soon";
import type { Answer } from "../../request/answer.js";
import type { Handler } from "../../request/filter.js";
import type { RecentRequests } from "../../request/recent-requests.js";
import type { RequestContext } from "../../request/request-context.js";
import type { RequestMetrics } from "../metrics/request-metrics.js";
import { logAccess } from "./access-log.js";
import type { Recipient } from "./recipient.js";
import type { StallWatch } from "./stall-watch.js";

export interface ServingDeps {
  readonly handle: Handler;
  readonly runtime: Runtime;
  readonly requests: RequestMetrics;
  readonly stalls?: StallWatch;
  /** @default none are remembered */
  readonly recent?: RecentRequests | undefined;
}

/**
 * One request from its arrival until its recipient has the whole answer, from a socket or from this process. One object with few
 * promises: there may be thousands.
 */
export class Serving {
  /** Resolves when it is over; undefined for one that was over at once. */
  done: Promise<void> | undefined = undefined;
  readonly context: RequestContext;
  readonly #recipient: Recipient;
  readonly #deps: ServingDeps;
  readonly #began: number;
  #ended: (() => void) | undefined;

  constructor(context: RequestContext, recipient: Recipient, deps: ServingDeps) {
    this.context = context;
    this.#recipient = recipient;
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
      this.#ended = this.#deps.requests.began(this.context);
      const taking = this.#recipient.take(answer, this.context);
      if (taking instanceof Promise)
        return taking.then(
          () => this.#end(),
          (err: unknown) => this.#broken(err),
        );
    } catch (err) {
      return this.#broken(err);
    }
    return this.#end();
  }

  async #broken(err: unknown): Promise<void> {
    const { context } = this;
    if (!context.signal.aborted)
      this.#deps.runtime.log.error("response failed", { path: context.request.path, error: err });
    try {
      await this.#recipient.fail(err, context);
    } catch (again) {
      this.#giveUp(again);
    }
    await this.#end();
  }

  #end(): Soon<void> {
    try {
      this.#count();
      const audited = this.context.audit?.end();
      if (audited instanceof Promise)
        return audited.then(
          () => this.#recipient.over(),
          (err: unknown) => this.#giveUp(err),
        );
      this.#recipient.over();
    } catch (err) {
      this.#giveUp(err);
    }
  }

  /** The answer was handed over, or cannot be: releases what is held for the request (its seats), and counts it. */
  #count(): void {
    const { context } = this;
    const { code, bytes } = this.#recipient;
    this.#ended?.();
    context.onAnswered?.();
    context.releaseMemory?.();
    const outcome = { code, bytes, ms: this.#deps.runtime.ioClock.monotonic() - this.#began };
    this.#deps.requests.answered(context, outcome);
    this.#deps.recent?.add(context, outcome);
    logAccess(this.#deps.runtime.log, context, outcome);
  }

  #giveUp(err: unknown): void {
    this.#deps.runtime.log.error("request broken", { path: this.context.request.path, error: err });
    this.#recipient.abort();
  }
}
