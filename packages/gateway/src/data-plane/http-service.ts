import { joinedValue } from "@coxswain/wire/http1";
import type { ClientCall } from "../calls/client-call.js";
import type { RedirectPorts } from "../engine/engine.js";
import { type Answer, failure, isGrpc } from "../exchange/answer.js";
import { Exchange } from "../exchange/exchange.js";
import type { ExchangeContext, ExchangeOutcome } from "../exchange/exchange-context.js";
import { planExchange } from "../exchange/plan-exchange.js";
import { hostOf } from "../routing/hostname.js";
import type { ByHostname, CompiledListener } from "./compiled-listeners.js";

/** What requests of one port need. The listeners change while it is open. */
export interface HttpService {
  readonly context: ExchangeContext;
  readonly port: number;
  listeners: ByHostname<CompiledListener>;
  redirectPorts: RedirectPorts;
  onOutcome(listener: string, outcome: ExchangeOutcome): void;
  /** Memory is short: requests are refused. */
  isOverBudget(): boolean;
}

/** Answers one request. `serverName`: the hostname of the listener that the connection was opened for; undefined: it has no TLS. */
export function serveCall(service: HttpService, call: ClientCall, ofConnection: string | undefined): void {
  const { request } = call;
  const { context } = service;
  const startedAt = context.runtime.ioClock.monotonic();
  const host = hostOf(request.authority);
  const listener = service.listeners.find(host);
  const report = (end: Omit<ExchangeOutcome, "request" | "ms" | "route">, route: string): void =>
    service.onOutcome(listener?.name ?? "", {
      ...end,
      request,
      route,
      ms: context.runtime.ioClock.monotonic() - startedAt,
    });
  const answer = (planned: Answer, route = ""): void => {
    const responseBytes = sendAnswer(call, planned);
    report({ status: planned.status, endpoint: "", requestBytes: 0, responseBytes, attempts: 0 }, route);
  };
  if (service.isOverBudget()) return answer(failure(503, "the gateway is out of memory for requests", isGrpc(request)));
  if (ofConnection !== undefined && listener && listener.hostname !== ofConnection)
    return answer(failure(421, "the connection is for another host", isGrpc(request)));
  const { path, query } = splitTarget(request.target);
  const header = (name: string): string | undefined =>
    name === "host" ? request.authority : joinedValue(request.fields, name);
  const found = listener?.table.find({ method: request.method, host, path, query, header });
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
  if (plan.kind === "answer") return answer(plan, found?.rule.route);
  const exchange = new Exchange(call, plan, context, ({ endpoint, ...end }) =>
    report({ ...end, endpoint: endpoint ? `${endpoint.address}:${endpoint.port}` : "" }, plan.rule.route),
  );
  exchange.start();
}

function splitTarget(target: string): { path: string; query: string } {
  const mark = target.indexOf("?");
  return mark < 0 ? { path: target, query: "" } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
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
