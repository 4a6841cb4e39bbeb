import { createServer, type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { TaskScheduler } from "@coxswain/apimachinery/task-scheduler";
import { Http1Connections } from "./http1-connection.js";
import { type Http1Body, Http1Request, PlainBody } from "./http1-request.js";
import type { Taken } from "../request/request.js";
import { clientGone } from "../runtime/lazy-signal.js";
import { refusalOf, refusalOfError, sendRefusal, writeRefusal } from "./http1-refusals.js";
import { asksForServer, parseTarget, type RequestTarget } from "./request-target.js";
import type { RequestSink, ResponseSink } from "../request/response-sink.js";
import { readUpgradeBody } from "./upgrade-body.js";

const maxHeaderBytes = 1 << 20;

/** HTTP/1.1 on sockets whose TLS handshake is done. */
export function createHttp1Server(onRequest: RequestSink, scheduler: TaskScheduler): Server {
  const to: Reception = { connections: new Http1Connections(scheduler), onRequest };
  // The Host header is checked with what else upstream refuses.
  const server = createServer(
    { maxHeaderSize: maxHeaderBytes, keepAliveTimeout: 90_000, requireHostHeader: false },
    (message, response) => receive(message, response, new PlainBody(message), to),
  );
  server.on("checkContinue", (message: IncomingMessage, response: ServerResponse) =>
    receive(message, response, expectedBody(message, response), to),
  );
  server.on("checkExpectation", (_message: IncomingMessage, response: ServerResponse) =>
    response.writeHead(417, { connection: "close", "content-length": 0 }).end(),
  );
  const onUpgrade = (message: IncomingMessage, socket: Socket, head: Buffer): void =>
    receiveUpgrade(message, socket, head, to);
  server.on("upgrade", onUpgrade);
  server.on("connect", onUpgrade); // no tunnels: answered like any other method
  server.on("clientError", (err, socket) => writeRefusal(refusalOfError(err), socket));
  return server;
}

/** Where requests go when their connection's task runs. */
interface Reception {
  readonly connections: Http1Connections;
  readonly onRequest: RequestSink;
}

function receive(
  message: IncomingMessage,
  response: ServerResponse,
  body: Http1Body,
  { connections, onRequest }: Reception,
): void {
  const target = targetOf(message);
  const refusal = refusalOf(message, target);
  if (refusal) return sendRefusal(refusal, response);
  if (asksForServer(message.method ?? "", target)) return void response.writeHead(200, { "content-length": 0 }).end();
  const connection = connections.of(message.socket);
  const request = new Http1Request({ message, response, target, body, connection });
  const sink = new Http1Sink(response);
  connection.enqueue(() => onRequest(request, sink));
}

const targetOf = (message: IncomingMessage): RequestTarget => parseTarget(message.url ?? "/", message.method ?? "GET");

/**
 * An upgrade request gets an HTTP response unless a handler takes the connection over. Either way it carries no further request:
 * node's parser is detached from it.
 */
function receiveUpgrade(
  message: IncomingMessage,
  socket: Socket,
  head: Buffer,
  { connections, onRequest }: Reception,
): void {
  const response = new ServerResponse(message);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once("finish", () => socket.destroySoon());
  socket.on("error", () => socket.destroy());
  const target = targetOf(message);
  const refusal = refusalOf(message, target);
  if (refusal) return sendRefusal(refusal, response);
  let taken = false;
  const body = readUpgradeBody(message, socket, head);
  const upgrade = (): Taken => {
    taken = true;
    response.detachSocket(socket);
    return { socket, head: body.rest() };
  };
  const connection = connections.of(socket);
  const request = new Http1Request({ message, response, target, body, connection, upgrade });
  // A closed connection is only noticed while it is read.
  const sink = new Http1Sink(response, () => void (taken || socket.resume()));
  connection.enqueue(() => onRequest(request, sink));
}

/**
 * For `Expect: 100-continue`: 100 Continue is sent when the body is read. If it is not, the connection is closed after the
 * response: the next bytes could be the body or another request.
 */
function expectedBody(message: IncomingMessage, response: ServerResponse): Http1Body {
  const body = new PlainBody(message);
  if (!body.exists) return body;
  const keepsAlive = response.shouldKeepAlive;
  response.shouldKeepAlive = false;
  return {
    exists: true,
    open() {
      response.shouldKeepAlive = keepsAlive;
      response.writeContinue();
      return message;
    },
  };
}

/** Reason phrases in which Go differs from Node. */
const reasons: Readonly<Record<number, string>> = {
  413: "Request Entity Too Large",
  416: "Requested Range Not Satisfiable",
};

const uncork = (response: ServerResponse): void => response.uncork();
const nothing = (): void => {};

class Http1Sink implements ResponseSink {
  /** Unknown for Node's responses. */
  readonly isEmpty = false;
  readonly #response: ServerResponse;
  readonly #onHead: () => void;
  code = 0;
  bytes = 0;

  constructor(response: ServerResponse, onHead: () => void = nothing) {
    this.#response = response;
    this.#onHead = onHead;
  }

  get headersSent(): boolean {
    return this.#response.headersSent;
  }

  head(code: number, headers: Readonly<Record<string, string | string[]>>): void {
    this.#writeHead(code, headers);
    // A watch may have no event for long, and its client waits for the headers. Data written at once goes with them, in one write.
    this.#response.cork();
    this.#response.flushHeaders();
    process.nextTick(uncork, this.#response);
    this.#onHead();
  }

  only(code: number, headers: Readonly<Record<string, string | string[]>>): void {
    this.#writeHead(code, headers);
    this.#response.end();
  }

  #writeHead(code: number, headers: Readonly<Record<string, string | string[]>>): void {
    this.code = code;
    const reason = reasons[code];
    if (reason === undefined) this.#response.writeHead(code, headers);
    else this.#response.writeHead(code, reason, headers);
  }

  write(chunk: Uint8Array): boolean {
    this.bytes += chunk.length;
    return this.#response.write(chunk);
  }

  drained(): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        this.#response.off("drain", done);
        this.#response.off("close", done);
        if (this.#response.destroyed) reject(clientGone);
        else resolve();
      };
      this.#response.on("drain", done);
      this.#response.on("close", done);
    });
  }

  send(chunk: Uint8Array): Promise<void> {
    this.bytes += chunk.length;
    return new Promise((resolve, reject) => this.#response.write(chunk, (err) => (err ? reject(err) : resolve())));
  }

  end(chunk?: Uint8Array): void {
    if (!chunk) return void this.#response.end();
    this.bytes += chunk.length;
    this.#response.end(chunk);
  }

  abort(): void {
    this.#response.destroy();
  }
}
