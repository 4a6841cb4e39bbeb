import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Runtime } from "@coxswain/runtime";
import { ByteCollector } from "@coxswain/wire/bytes";
import { refuseUpgrade } from "@coxswain/wire/upgrade";
import { acceptWebSocket, planHandshake, type WebSocketConnection } from "@coxswain/wire/websocket";
import type { Asset } from "./assets.js";
import { firstRefusal, type Guard, type Refusal, type RequestFacts } from "./guards/index.js";
import { limits } from "./limits.js";
import type { OpenPodPort } from "./pod-port.js";
import { RelaySession } from "./relay-session.js";
import type { ConsoleClock, Upstream } from "./relay-stream.js";
import { securityHeaders } from "./security-headers.js";
import { createSessions } from "./sessions.js";

/** What the page shows about where it is. */
export interface ConsoleFacts {
  /** A cluster's name, or a context's. */
  readonly cluster: string;
  readonly readOnly: boolean;
  /** Of a test: the page may let time pass. */
  readonly hasClock: boolean;
}

export interface RelayOptions {
  readonly upstream: Upstream;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly facts: ConsoleFacts;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Names that it is reached by, beside the loopback ones. */
  readonly names: readonly string[];
  /** Undefined: plain HTTP, which is for loopback only. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly guards: readonly Guard[];
  readonly openPodPort: OpenPodPort;
  /** Of a test's cluster. Undefined: time is nobody's to move. */
  readonly clock: ConsoleClock | undefined;
}

export interface Relay {
  readonly port: number;
  /** A link that opens one session. */
  createLink(): string;
  stop(): Promise<void>;
}

/** Serves the console's files and the one WebSocket of each page. */
export async function startRelay(runtime: Runtime, options: RelayOptions): Promise<Relay> {
  const { guards, tls, host } = options;
  const scheme = tls ? "https" : "http";
  const sessions = createSessions(runtime, guards);
  const open = new Set<WebSocketConnection>();
  const server: Server = tls ? createTlsServer(tls) : createServer();
  server.maxConnections = limits.connections;
  server.headersTimeout = limits.helloMs;
  server.requestTimeout = limits.helloMs;
  let port = 0;
  const factsOf = (request: IncomingMessage, isUpgrade: boolean): RequestFacts =>
    requestFacts(request, { isUpgrade, port, scheme, names: options.names });

  server.on("request", (request, response) => {
    const refusal = firstRefusal(guards, "request", factsOf(request, false));
    if (refusal) return answerRefusal(response, refusal);
    if (request.method === "POST") return exchangeCode(request, response, sessions.exchange);
    serveAsset(runtime, options.assets, request, response);
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    const refusal = firstRefusal(guards, "request", factsOf(request, true));
    if (refusal) return refuseUpgrade(socket, refusal.status, refusal.message, securityHeaders("", ""));
    const plan = planHandshake(request.headers, ["coxswain.console.v1"]);
    if (plan.kind === "refuse") return refuseUpgrade(socket, plan.status, plan.message, plan.headers);
    const { random, ioClock: clock } = runtime;
    const websocket = acceptWebSocket(socket, head, plan, { random, clock, maxMessageBytes: 2 * limits.frameBytes });
    followSession(runtime, { ...options, websocket, open, isKnown: (key) => sessions.find(key) !== undefined });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, host, () => resolve());
  });
  ({ port } = server.address() as AddressInfo);
  return {
    port,
    createLink: () => `${scheme}://${options.names[0] ?? "127.0.0.1"}:${port}/#c=${sessions.createCode()}`,
    async stop() {
      for (const websocket of open) websocket.destroy();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

interface Following extends RelayOptions {
  readonly websocket: WebSocketConnection;
  readonly open: Set<WebSocketConnection>;
  isKnown(key: string): boolean;
}

/** The first message is the session's key; a client without one is disconnected. */
function followSession(runtime: Runtime, { websocket, open, isKnown, ...options }: Following): void {
  const { upstream, guards, facts, openPodPort, clock } = options;
  let session: RelaySession | undefined;
  open.add(websocket);
  const helloTimer = runtime.ioClock.setTimer(limits.helloMs, () => {
    if (!session) websocket.close(1008, "no key came");
  });
  websocket.listen({
    onMessage(data, isText) {
      if (session) return session.receive(data, isText);
      const hello = { isText, bytes: data.length, isKnown: isKnown(data.toString()) };
      const refusal = firstRefusal(guards, "hello", hello);
      if (refusal) return websocket.close(1008, refusal.message);
      session = new RelaySession({
        socket: websocket,
        upstream,
        guards,
        readOnly: facts.readOnly,
        openPodPort,
        clock,
      });
      websocket.send(JSON.stringify(facts));
    },
    onClose() {
      helloTimer.cancel();
      session?.close();
      open.delete(websocket);
    },
  });
}

function requestFacts(
  request: IncomingMessage,
  known: Pick<RequestFacts, "isUpgrade" | "port" | "scheme" | "names">,
): RequestFacts {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers))
    headers[name] = Array.isArray(value) ? value.join(", ") : value;
  return {
    ...known,
    method: request.method ?? "",
    target: request.url ?? "",
    headers,
    hosts: request.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === "host").length,
    remoteAddress: request.socket.remoteAddress ?? "",
  };
}

function answerRefusal(response: ServerResponse, { status, message }: Refusal): void {
  response.writeHead(status, {
    ...securityHeaders("", ""),
    "Content-Type": "text/plain; charset=utf-8",
    Connection: "close",
  });
  response.end(`${message}\n`);
}

function exchangeCode(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: ReturnType<typeof createSessions>["exchange"],
): void {
  const body = new ByteCollector();
  request.on("data", (chunk: Buffer) => {
    if (body.length <= limits.exchangeBytes) body.add(chunk);
  });
  request.on("error", () => response.destroy());
  request.on("end", () => {
    const result = exchange({ body: body.take(), contentType: request.headers["content-type"] ?? "" });
    if ("refusal" in result) return answerRefusal(response, result.refusal);
    const answer = JSON.stringify(result);
    const length = Buffer.byteLength(answer);
    response.writeHead(200, {
      ...securityHeaders("", ""),
      "Content-Type": "application/json",
      "Content-Length": length,
    });
    response.end(answer);
  });
}

function serveAsset(
  { random }: Runtime,
  assets: ReadonlyMap<string, Asset>,
  { url = "", method }: IncomingMessage,
  response: ServerResponse,
): void {
  const asset = assets.get(url);
  if (!asset) return answerRefusal(response, { status: 404, message: "no such file" });
  const nonce = Buffer.from(random.bytes(16)).toString("base64url");
  const bytes = url === "/" ? Buffer.from(asset.bytes.toString().replace("{{nonce}}", nonce)) : asset.bytes;
  response.writeHead(200, {
    ...securityHeaders(url, nonce),
    "Content-Type": asset.type,
    "Content-Length": bytes.length,
  });
  response.end(method === "HEAD" ? undefined : bytes);
}
