import type { Endpoint } from "@coxswain/api/endpoint-slices";
import type { Timer } from "@coxswain/runtime/clock";
import type { Field } from "@coxswain/wire/http1";
import type { EndpointPool } from "../backends/endpoint-pool.js";
import { backendLimits } from "../backends/limits.js";
import type { BackendCall, BackendEvents, BackendFailure } from "../calls/backend-call.js";
import type { AnsweredHead, ClientCall, RequestBodyReader } from "../calls/client-call.js";
import type { Tunnel } from "../calls/tunnel.js";
import { clientLimits } from "../clients/limits.js";
import type { Swept } from "../clients/sweeper.js";
import { failure, isGrpc } from "./answer.js";
import { answeredFields } from "./answered-fields.js";
import type { ExchangeContext, ExchangeReport } from "./exchange-context.js";
import { forwardedTrailers } from "./hop-by-hop.js";
import type { Mirror } from "./mirror.js";
import type { Forwarded } from "./plan-exchange.js";
import { Replay } from "./replay.js";
import { mayRetry, type Trouble, troubleStatus } from "./retry.js";

/**
 * One request on its way to a backend and back: bytes of both bodies pass as they come, no faster than the slower side takes them.
 * Attempts follow each other while nothing of an answer was sent.
 */
export class Exchange implements RequestBodyReader, BackendEvents, Swept {
  readonly #call: ClientCall;
  readonly #plan: Forwarded;
  readonly #context: ExchangeContext;
  readonly #report: ExchangeReport;
  #backend: BackendCall | undefined;
  #pool: EndpointPool | undefined;
  #endpoint: Endpoint | undefined;
  #attempts = 0;
  #replay: Replay | undefined;
  #mirrors: Mirror[] | undefined;
  #status = 0;
  #hasReadBody: boolean;
  #isBodyPaused = false;
  #isBlocked = false;
  #isOver = false;
  #requestBytes = 0;
  #responseBytes = 0;
  /** When a byte last came or went. */
  #since: number;
  #requestTimer: Timer | undefined;
  #attemptTimer: Timer | undefined;

  constructor(call: ClientCall, plan: Forwarded, context: ExchangeContext, report: ExchangeReport) {
    this.#call = call;
    this.#plan = plan;
    this.#context = context;
    this.#report = report;
    this.#hasReadBody = !call.request.hasBody;
    this.#since = context.sweeper.now;
  }

  start(): void {
    const call = this.#call;
    const context = this.#context;
    const plan = this.#plan;
    call.onGone = () => this.#leave();
    call.onDrain = () => this.#unblock();
    context.sweeper.add(this);
    const { requestMs } = plan.rule.timeouts;
    if (requestMs > 0) this.#requestTimer = context.runtime.clock.setTimer(requestMs, () => this.#giveUp("timeout"));
    if (call.request.hasBody && plan.rule.retry) this.#replay = new Replay();
    for (const to of plan.mirrors) {
      const mirror = context.mirrors.start(plan.sent, to, context.endpointsOf(to.target), context.pools);
      if (mirror) (this.#mirrors ??= []).push(mirror);
    }
    this.#attempt();
    if (this.#isOver || !call.request.hasBody) return;
    call.readBody(this);
    this.#backend?.flush();
  }

  #attempt(): void {
    if (this.#isOver) return;
    const plan = this.#plan;
    const context = this.#context;
    const endpoint =
      (this.#attempts === 0 ? plan.endpoint : undefined) ??
      context.pools.choose(plan.service, plan.endpoints, this.#endpoint);
    this.#attempts += 1;
    this.#since = context.sweeper.now;
    if (!endpoint) return this.#giveUp("connect");
    this.#endpoint = endpoint;
    try {
      this.#pool = context.pools.poolOf(plan.service, endpoint);
    } catch (error) {
      return this.onFailed({ kind: "connect", message: (error as Error).message });
    }
    const { backendRequestMs } = plan.rule.timeouts;
    if (backendRequestMs > 0)
      this.#attemptTimer = context.runtime.clock.setTimer(backendRequestMs, () => this.#fail("timeout"));
    this.#backend = this.#pool.start(plan.sent, this);
    if (!this.#backend) return this.#fail("overflow");
    if (this.#attempts > 1 && this.#replay) this.#replay.sendTo(this.#backend);
    if (this.#attempts > 1 && this.#isBodyPaused) this.onRequestDrain();
  }

  onBody(data: Buffer): void {
    this.#since = this.#context.sweeper.now;
    this.#requestBytes += data.length;
    this.#replay?.add(data);
    if (this.#mirrors) for (const mirror of this.#mirrors) mirror.write(data);
    if (this.#backend?.write(data) === true) return;
    this.#isBodyPaused = true;
    this.#call.pauseBody();
  }

  onBodyEnd(received: readonly Field[]): void {
    this.#hasReadBody = true;
    const trailers = forwardedTrailers(received);
    this.#replay?.end(trailers);
    if (this.#mirrors) for (const mirror of this.#mirrors) mirror.end(trailers);
    this.#backend?.end(trailers);
  }

  onBodyAborted(): void {
    this.#leave();
  }

  onRequestDrain(): void {
    if (!this.#isBodyPaused || this.#hasReadBody) return;
    this.#isBodyPaused = false;
    this.#call.resumeBody();
  }

  onResponse(head: AnsweredHead, isLast: boolean): void {
    this.#since = this.#context.sweeper.now;
    this.#pool?.outlier.succeeded();
    const { retry } = this.#plan.rule;
    if (retry?.codes.includes(head.status) && this.#mayRetry("status")) return this.#retry();
    const fields = this.#fieldsOf(head);
    if (!fields) return this.#giveUp("lost");
    this.#status = head.status;
    this.#releaseReplay();
    this.#call.respond({ status: head.status, fields }, isLast);
  }

  onResponseData(data: Buffer): void {
    this.#since = this.#context.sweeper.now;
    this.#responseBytes += data.length;
    if (this.#call.write(data)) return;
    this.#isBlocked = true;
    this.#backend?.pause();
  }

  onResponseFlush(): void {
    this.#call.flush();
    if (this.#call.unsentBytes < clientLimits.aheadBytes || this.#isBlocked || this.#isOver) return;
    this.#isBlocked = true;
    this.#backend?.pause();
  }

  onResponseEnd(trailers: readonly Field[]): void {
    this.#backend = undefined;
    this.#call.end(forwardedTrailers(trailers));
    this.#end();
  }

  onUpgraded(head: AnsweredHead, backend: Tunnel): void {
    this.#backend = undefined;
    const fields = this.#fieldsOf(head);
    const isAsked = fields && this.#plan.sent.upgrade !== undefined;
    const client = isAsked ? this.#call.upgrade({ status: 101, fields }) : undefined;
    if (!client) {
      backend.connection.destroy();
      return this.#giveUp("lost");
    }
    this.#status = 101;
    this.#stop();
    this.#context.openTunnel(client, backend, () => this.#over());
  }

  /** Undefined: they cannot be made, for a reason in the route. */
  #fieldsOf({ fields }: AnsweredHead): readonly Field[] | undefined {
    try {
      return answeredFields(fields, this.#plan, this.#endpoint!, this.#context.runtime.clock.now());
    } catch (error) {
      this.#context.runtime.log.error("an answer was not forwarded", { route: this.#plan.rule.route, error });
      return undefined;
    }
  }

  onFailed({ kind, message }: BackendFailure): void {
    this.#context.runtime.log.debug("an endpoint did not answer", { ...this.#endpoint, message });
    this.#backend = undefined;
    if (kind !== "unsent") this.#pool?.outlier.failed();
    this.#fail(kind);
  }

  sweep(now: number): void {
    const waited = now - this.#since;
    if (this.#status > 0) {
      if (this.#isBlocked && waited > clientLimits.unreadMs) this.#breakOff();
    } else if (!this.#hasReadBody && !this.#isBodyPaused && waited > clientLimits.bodyMs) {
      if (!isGrpc(this.#call.request)) this.#breakOff();
    } else if (waited > backendLimits.headMs) this.#fail("timeout");
  }

  #unblock(): void {
    if (!this.#isBlocked) return;
    this.#isBlocked = false;
    this.#since = this.#context.sweeper.now;
    this.#backend?.resume();
  }

  /** An attempt has failed. */
  #fail(trouble: Trouble): void {
    if (this.#isOver) return;
    this.#context.onBackendFailure(trouble);
    if (this.#status > 0) return this.#breakOff();
    if (this.#mayRetry(trouble)) return this.#retry();
    this.#giveUp(trouble);
  }

  #mayRetry(trouble: Trouble): boolean {
    if (this.#isOver || this.#status > 0) return false;
    const isWhole = this.#replay ? this.#replay.isWhole : !this.#call.request.hasBody;
    const { method } = this.#call.request;
    return isWhole && mayRetry({ trouble, method, attempts: this.#attempts, policy: this.#plan.rule.retry });
  }

  #retry(): void {
    this.#cancelAttempt();
    const wait = this.#plan.rule.retry?.backoffMs ?? 0;
    if (wait === 0) return this.#attempt();
    this.#attemptTimer = this.#context.runtime.clock.setTimer(wait, () => this.#attempt());
  }

  #cancelAttempt(): void {
    this.#attemptTimer?.cancel();
    this.#attemptTimer = undefined;
    const backend = this.#backend;
    this.#backend = undefined;
    backend?.cancel();
  }

  /** No attempt is left: the client is answered here. */
  #giveUp(trouble: Trouble): void {
    if (this.#isOver) return;
    if (this.#status > 0) return this.#breakOff();
    const asGrpc = this.#plan.rule.protocol === "grpc" || isGrpc(this.#call.request);
    const { status, message } = troubleStatus(trouble, this.#plan.service.tls !== undefined);
    const answer = failure(status, message, asGrpc);
    this.#status = status;
    this.#stop();
    const body = Buffer.from(answer.body);
    this.#call.respond(answer, body.length === 0);
    if (body.length > 0) this.#call.write(body);
    this.#call.end([]);
    this.#over();
  }

  /** An answer that breaks off must not look complete. */
  #breakOff(): void {
    this.#stop();
    this.#call.abort();
    this.#over();
  }

  /** The client has left. */
  #leave(): void {
    if (this.#isOver) return;
    this.#stop();
    this.#over();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#stop();
    this.#over();
  }

  #stop(): void {
    this.#isOver = true;
    this.#requestTimer?.cancel();
    this.#cancelAttempt();
    this.#releaseReplay();
    this.#context.sweeper.remove(this);
    if (this.#mirrors && !this.#hasReadBody) for (const mirror of this.#mirrors) mirror.cancel();
  }

  #releaseReplay(): void {
    this.#replay?.release();
    this.#replay = undefined;
  }

  #over(): void {
    this.#report.over({
      status: this.#status,
      endpoint: this.#endpoint,
      requestBytes: this.#requestBytes,
      responseBytes: this.#responseBytes,
      attempts: this.#attempts,
    });
  }
}
