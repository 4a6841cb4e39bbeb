import { joinedValue } from "@coxswain/wire/http1";
import type { ClientCall } from "../calls/client-call.js";
import type { RedirectPorts } from "../engine/engine.js";
import { type Answer, failure, isGrpc } from "../exchange/answer.js";
import { Exchange } from "../exchange/exchange.js";
import type { ExchangeContext, ExchangeEnd, ExchangeOutcome, ExchangeReport } from "../exchange/exchange-context.js";
import { planExchange } from "../exchange/plan-exchange.js";
import { hostOf } from "../routing/hostname.js";
import type { ByHostname, CompiledListener } from "./compiled-listeners.js";

/** What requests of one port need. The listeners change while it is open. */
export interface HttpService {
  readonly context: ExchangeContext;
  readonly port: number;
  listeners: ByHostname<CompiledListener>;
  redirectPorts: RedirectPorts;
  onOutcome(outcome: ExchangeOutcome): void;
  /** Memory is short: requests are refused. */
  isOverBudget(): boolean;
}

/** Answers one request. `ofConnection`: the hostname of the listener that the connection was opened for; undefined: it has no TLS. */
export function serveCall(service: HttpService, call: ClientCall, ofConnection: string | undefined): void {
  const host = hostOf(call.request.authority);
  const listener = service.listeners.find(host);
  const served = new ServedCall(service, call, listener?.name ?? "");
  try {
    serve(service, call, { host, listener, served, ofConnection });
  } catch (error) {
    // One request, and not the process: with HTTP/2 there is nobody above who could answer.
    service.context.runtime.log.error("a request was not planned", { route: served.route, error });
    if (!call.isClosed) served.answer(failure(500, "the route cannot be followed", isGrpc(call.request)));
  }
}

interface Arrived {
  readonly host: string;
  readonly listener: CompiledListener | undefined;
  readonly served: ServedCall;
  readonly ofConnection: string | undefined;
}

function serve(service: HttpService, call: ClientCall, { host, listener, served, ofConnection }: Arrived): void {
  const { request } = call;
  const { context } = service;
  if (service.isOverBudget())
    return served.answer(failure(503, "the gateway is out of memory for requests", isGrpc(request)));
  if (ofConnection !== undefined && listener && listener.hostname !== ofConnection)
    return served.answer(failure(421, "the connection is for another host", isGrpc(request)));
  const mark = request.target.indexOf("?");
  const path = mark < 0 ? request.target : request.target.slice(0, mark);
  const query = mark < 0 ? "" : request.target.slice(mark + 1);
  const header = (name: string): string | undefined =>
    name === "host" ? request.authority : joinedValue(request.fields, name);
  const found = listener?.table.find({ method: request.method, host, path, query, header });
  if (found) served.route = found.rule.route;
  const plan = planExchange(found, request, {
    random: context.runtime.random,
    now: context.runtime.clock.now(),
    port: service.port,
    redirectPorts: service.redirectPorts,
    endpointsOf: context.endpointsOf,
    host,
    path,
    query,
  });
  if (plan.kind === "answer") served.answer(plan);
  else new Exchange(call, plan, context, served).start();
}

/** Reports what a request came to. */
class ServedCall implements ExchangeReport {
  route = "";
  readonly #service: HttpService;
  readonly #call: ClientCall;
  readonly #listener: string;
  readonly #startedAt: number;

  constructor(service: HttpService, call: ClientCall, listener: string) {
    this.#service = service;
    this.#call = call;
    this.#listener = listener;
    this.#startedAt = service.context.runtime.ioClock.monotonic();
  }

  answer(planned: Answer): void {
    const responseBytes = sendAnswer(this.#call, planned);
    this.over({ status: planned.status, endpoint: undefined, requestBytes: 0, responseBytes, attempts: 0 });
  }

  over(end: ExchangeEnd): void {
    const ms = this.#service.context.runtime.ioClock.monotonic() - this.#startedAt;
    this.#service.onOutcome({ listener: this.#listener, route: this.route, request: this.#call.request, end, ms });
  }
}

function sendAnswer(call: ClientCall, { status, fields, body }: Answer): number {
  const hasBody = body !== "" && call.request.method !== "HEAD";
  call.respond({ status, fields }, !hasBody);
  if (!hasBody) return 0;
  const bytes = Buffer.from(body, "latin1");
  call.write(bytes);
  call.end([]);
  return bytes.length;
}
