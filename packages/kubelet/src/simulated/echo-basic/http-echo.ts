import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttp2Server, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { parseDurationMs } from "@coxswain/apimachinery/time";
import { slept } from "@coxswain/runtime/wait";
import { acceptWebSocket, planHandshake } from "@coxswain/wire/websocket";
import type { ProgramFacts } from "../port-server.js";
import type { EchoContext } from "./echo-context.js";
import { tlsAssertions } from "./tls-server.js";

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;

export interface HttpEcho {
  plain(connection: Duplex): void;
  h2c(connection: Duplex): void;
  secure(connection: TLSSocket): void;
}

/** Answers with what it was asked, as JSON (echo-basic.go); some paths do something else. */
export function createHttpEcho(facts: ProgramFacts, context: EchoContext): HttpEcho {
  const attempts = new Map<string, number>();
  const handle = (request: Request, response: Response, secure: TLSSocket | undefined): void => {
    request.resume();
    response.on("error", () => {}); // the client has left
    void answer(request, response, { facts, context, secure, attempts }).catch(() => response.destroy());
  };
  const http1 = (secure: TLSSocket | undefined) => {
    const server = createServer({ keepAliveTimeout: 0 }, (request, response) => handle(request, response, secure));
    server.on("upgrade", (request, socket: Duplex, head: Buffer) => echoWebSocket(request, socket, head, facts));
    return server;
  };
  const http2 = (secure: TLSSocket | undefined) => {
    const server = createHttp2Server((request, response) => handle(request, response, secure));
    server.on("sessionError", () => {});
    return server;
  };
  const [plain, h2c] = [http1(undefined), http2(undefined)];
  return {
    plain: (connection) => void plain.emit("connection", connection),
    h2c: (connection) => void h2c.emit("connection", connection),
    secure: (secure) => void (secure.alpnProtocol === "h2" ? http2(secure) : http1(secure)).emit("connection", secure),
  };
}

interface Answering {
  readonly facts: ProgramFacts;
  readonly context: EchoContext;
  readonly secure: TLSSocket | undefined;
  /** Of requests that are to fail at first, by their names. */
  readonly attempts: Map<string, number>;
}

async function answer(request: Request, response: Response, answering: Answering): Promise<void> {
  const { pathname, searchParams } = new URL((request.url ?? "/").replace(/^\/+/, "/"), "http://echo");
  if (pathname === "/health") return void response.end("OK");
  const status = /^\/status\/(\d\d\d)$/.exec(request.url ?? "");
  if (pathname.startsWith("/status/")) {
    response.statusCode = Number(status?.[1] ?? 400);
    return void response.end();
  }
  if (pathname.startsWith("/retry/") && !(await passes(searchParams, response, answering))) return;
  await delay(searchParams.get("delay"), answering);
  echo(request, response, answering);
}

async function delay(text: string | null, { facts }: Answering): Promise<void> {
  const ms = parseDurationMs(text ?? "0s") ?? 0;
  if (ms > 0) await slept(ms, facts.runtime);
}

/** A backend that fails at first: by closing the connection, or with a code. */
async function passes(asked: URLSearchParams, response: Response, answering: Answering): Promise<boolean> {
  const [uuid, succeedAfter] = [asked.get("uuid") ?? "", Number(asked.get("succeedAfter") ?? Number.NaN)];
  if (uuid === "" || !Number.isInteger(succeedAfter)) {
    response.statusCode = 400;
    response.end(`${uuid === "" ? "uuid" : "succeedAfter"} is required`);
    return false;
  }
  const tried = answering.attempts.get(uuid) ?? 0;
  if (tried >= succeedAfter) return true;
  answering.attempts.set(uuid, tried + 1);
  await delay(asked.get("delayRetry"), answering);
  const code = asked.get("responseCode");
  if (code === null) response.destroy();
  else {
    response.statusCode = Number(code);
    response.end();
  }
  return false;
}

function echo(request: Request, response: Response, { facts, context, secure }: Answering): void {
  const isHttp2 = request.httpVersionMajor === 2;
  const [path, host] = [request.url ?? "/", request.headers[":authority"] ?? request.headers.host ?? ""];
  facts.print(`Echoing back request made to ${path} to client (${request.socket?.remoteAddress ?? "inside"})`);
  const headers = goHeaders(request);
  const body = {
    path,
    host,
    method: request.method,
    proto: isHttp2 ? "HTTP/2.0" : `HTTP/${request.httpVersion}`,
    headers,
    httpPort: facts.env("HTTP_PORT") || "3000",
    ...context,
    ...(secure && { tls: tlsAssertions(secure) }),
  };
  for (const [name, value] of askedHeaders(headers["X-Echo-Set-Header"] ?? []))
    response.setHeader(isHttp2 ? name.toLowerCase() : name, value);
  response.setHeader("content-type", "application/json");
  response.setHeader("x-content-type-options", "nosniff");
  response.end(JSON.stringify(body, undefined, 1));
}

/** Names as Go writes them; the host is not one of them. */
function goHeaders({ rawHeaders }: Request): Record<string, string[]> {
  const headers: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    if (name === "host" || name.startsWith(":")) continue;
    (headers[name.replace(/(^|-)[a-z]/g, (first) => first.toUpperCase())] ??= []).push(rawHeaders[at + 1] ?? "");
  }
  return headers;
}

/** `name:value, name:value`: values of one name are joined. */
function askedHeaders(lines: readonly string[]): ReadonlyMap<string, string> {
  const asked = new Map<string, string>();
  for (const line of lines.flatMap((one) => one.split(","))) {
    const [name = "", ...value] = line.trim().split(":");
    if (name === "") continue; // an empty line asks for nothing
    const before = asked.get(name);
    asked.set(name, before === undefined ? value.join(":") : `${before},${value.join(":").trim()}`);
  }
  return asked;
}

/** Messages come back as they were. */
function echoWebSocket({ headers }: IncomingMessage, socket: Duplex, head: Buffer, { runtime }: ProgramFacts): void {
  socket.on("error", () => {}); // "close" follows
  const handshake = planHandshake(headers, [""]);
  if (handshake.kind === "refuse") return void socket.end(`HTTP/1.1 ${handshake.status} \r\n\r\n`);
  const connection = acceptWebSocket(socket, head, handshake, runtime);
  connection.listen({ onMessage: (data, isText) => void connection.send(isText ? data.toString() : data) });
}
