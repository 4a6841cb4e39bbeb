import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  request as requestPlain,
  type ServerResponse,
} from "node:http";
import { type Duplex, pipeline } from "node:stream";
import type { Endpoint } from "@coxswain/api/endpoint-slices";
import type { Runtime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import type { BackendTarget } from "../engine/backend.js";
import type { BackendNetwork } from "../engine/backend-network.js";
import type { RoutedRule } from "../engine/routed-rule.js";
import type { HeaderChanges } from "../objects/gateway-objects.js";
import { hostOf } from "../routing/hostname.js";
import type { FoundRule, RouteRequest } from "../routing/route-table.js";
import { changeHeaders, type HeaderLines } from "./change-request.js";
import { type ArrivedRequest, type Exchange, planExchange, withoutHopByHop } from "./plan-exchange.js";
import { refusedConnection } from "./refused-connection.js";

export interface ForwardingOptions {
  readonly runtime: Runtime;
  readonly network: BackendNetwork;
  /** Connections to endpoints by sockets. */
  readonly agent: Agent;
  endpointsOf(target: BackendTarget): readonly Endpoint[];
  find(request: RouteRequest): FoundRule<RoutedRule> | undefined;
  readonly scheme: "http" | "https";
  readonly port: number;
}

/** Milliseconds until an endpoint that does not answer a connect is given up. */
const connectMs = 10_000;

/** Answers one request: by itself, or with what an endpoint answers. */
export function serveRequest(options: ForwardingOptions, incoming: IncomingMessage, response: ServerResponse): void {
  const exchange = planFor(options, incoming, undefined);
  if (exchange.kind === "answer") return sendAnswer(exchange, response);
  const outgoing = call(options, exchange, incoming);
  const limit = limitTime(options.runtime, exchange.timeoutMs, outgoing);
  const fail = (error: NodeJS.ErrnoException): void => {
    limit?.cancel();
    options.runtime.log.debug("an endpoint did not answer", { ...exchange.endpoint, error });
    if (response.headersSent) return void response.destroy();
    const isLate = error instanceof LateAnswer;
    sendAnswer(
      {
        kind: "answer",
        status: isLate ? 504 : 502,
        message: isLate ? "the backend took too long" : "the backend cannot be reached",
      },
      response,
    );
  };
  outgoing.once("error", fail);
  outgoing.once("response", (answered) => {
    limit?.cancel();
    response.writeHead(answered.statusCode ?? 502, flatHeaders(linesOf(answered), exchange.responseHeaders));
    // A body that breaks off must not look complete: pipeline destroys the other side.
    pipeline(answered, response, () => {});
  });
  response.once("close", () => outgoing.destroy()); // the client has left, or everything was sent
  pipeline(incoming, outgoing, (error) => void (error && outgoing.destroy(error)));
}

/** Joins the client's connection with an endpoint that changes the protocol, or passes on that it does not. */
export function serveUpgrade(
  options: ForwardingOptions,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  socket.on("error", () => {}); // "close" follows
  const exchange = planFor(options, incoming, incoming.headers.upgrade);
  if (exchange.kind === "answer")
    return void socket.end(`HTTP/1.1 ${exchange.status} \r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  const outgoing = call(options, exchange, incoming);
  outgoing.once("error", () => socket.end("HTTP/1.1 502 \r\nContent-Length: 0\r\nConnection: close\r\n\r\n"));
  outgoing.once("response", (answered) => {
    const lines = [
      ...linesOf(answered).filter(([name]) => name.toLowerCase() !== "transfer-encoding"),
      ["Connection", "close"],
    ];
    socket.write(
      `HTTP/1.1 ${answered.statusCode} \r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
    );
    pipeline(answered, socket, () => {});
  });
  outgoing.once("upgrade", (answered, backend, first) => {
    const lines = linesOf(answered).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("")}\r\n`);
    if (first.length > 0) socket.write(first);
    if (head.length > 0) backend.write(head);
    pipeline(socket, backend, socket, () => {});
  });
  socket.once("close", () => outgoing.destroy());
  outgoing.end();
}

class LateAnswer extends Error {}

const limitTime = ({ ioClock }: Runtime, timeoutMs: number, outgoing: ClientRequest): Timer | undefined =>
  timeoutMs > 0 ? ioClock.setTimer(timeoutMs, () => outgoing.destroy(new LateAnswer())) : undefined;

function planFor(options: ForwardingOptions, incoming: IncomingMessage, upgrade: string | undefined): Exchange {
  const [path = "/", query = ""] = splitTarget(incoming.url ?? "/");
  const host = hostOf(incoming.headers.host ?? "");
  const found = options.find({
    method: incoming.method ?? "GET",
    host,
    path,
    query,
    header: (name) => {
      const value = incoming.headers[name];
      return Array.isArray(value) ? value.join(",") : value;
    },
  });
  const request: ArrivedRequest = {
    scheme: options.scheme,
    host,
    port: options.port,
    path,
    query,
    headers: linesOf(incoming),
    clientAddress: (incoming.socket.remoteAddress ?? "").replace(/^::ffff:(?=[\d.]+$)/, ""),
    upgrade,
  };
  return planExchange(found, request, { random: options.runtime.random, endpointsOf: options.endpointsOf });
}

function splitTarget(target: string): [path: string, query: string] {
  const mark = target.indexOf("?");
  return mark < 0 ? [target, ""] : [target.slice(0, mark), target.slice(mark + 1)];
}

function call(
  options: ForwardingOptions,
  exchange: Exchange & { kind: "forward" },
  incoming: IncomingMessage,
): ClientRequest {
  const { endpoint, headers, target: path } = exchange;
  const settings = { method: incoming.method, path, headers: headers.flat() as unknown as string[], setHost: false };
  const inside = connectInside(options, endpoint);
  if (inside) return requestPlain({ ...settings, createConnection: () => inside });
  const outgoing = requestPlain({ ...settings, host: endpoint.address, port: endpoint.port, agent: options.agent });
  const timer = options.runtime.ioClock.setTimer(connectMs, () => outgoing.destroy(new Error("no answer in time")));
  outgoing.once("close", () => timer.cancel());
  outgoing.once("socket", (socket) => {
    if (socket.connecting) socket.once("connect", () => timer.cancel());
    else timer.cancel();
  });
  return outgoing;
}

/** A connection that is refused inside fails as one by a socket does: later, as an error of the request. */
function connectInside({ network }: ForwardingOptions, { address, port }: Endpoint): Duplex | undefined {
  try {
    return network.connectInside({ hostname: address, port, scheme: "http", user: undefined });
  } catch (error) {
    return refusedConnection(error as Error);
  }
}

function sendAnswer({ status, message, location }: Exchange & { kind: "answer" }, response: ServerResponse): void {
  const body = message === "" ? "" : `${message}\n`;
  response.writeHead(status, {
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    ...(location !== undefined && { Location: location }),
  });
  response.end(body);
}

function linesOf({ rawHeaders }: IncomingMessage): (readonly [string, string])[] {
  const lines: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) lines.push([rawHeaders[at]!, rawHeaders[at + 1]!]);
  return lines;
}

function flatHeaders(lines: HeaderLines, changes: readonly HeaderChanges[]): string[] {
  let changed = withoutHopByHop(lines);
  for (const change of changes) changed = changeHeaders(changed, change);
  return changed.flat();
}
