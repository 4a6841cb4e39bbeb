import { createServer, type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clientGone } from "@coxswain/runtime/lazy-signal";
import type { Scheduler } from "@coxswain/runtime/scheduler";
import type { Soon } from "@coxswain/runtime/soon";
import type { Taken } from "../../request/request.js";
import { maxUnreadBytes, type RequestSink, type ResponseSink } from "../../request/response-sink.js";
import { asksForServer, parseTarget, type RequestTarget } from "../connection/request-target.js";
import { readUpgradeBody } from "../connection/upgrade-body.js";
import { Http1Connections } from "./connection.js";
import { Http1Message } from "./message.js";
import { refusalOf, refusalOfError, sendRefusal, writeRefusal } from "./refusals.js";
import { type Http1Body, Http1Request, PlainBody } from "./request.js";

/** MaxHeaderBytes of kube-apiserver's server: the request line and all headers. */
const maxHeaderBytes = 1 << 20;

export interface Http1Limits {
  /**
   * From the first byte of a request, or the connection's begin, to the end of its headers. ReadHeaderTimeout of
   * kube-apiserver's server, against slow loris.
   * @default 32 s
   */
  readonly headersMs?: number;
  /** How often that time-out is checked. @default 5 s */
  readonly checkMs?: number;
  /** Idle timeout between requests (keep-alive): IdleTimeout of kube-apiserver's server. @default 90 s */
  readonly idleMs?: number;
}

/** HTTP/1.1 on sockets whose TLS handshake is done. */
export function createHttp1Server(
  onRequest: RequestSink,
  scheduler: Scheduler,
  { headersMs = 32_000, checkMs = 5_000, idleMs = 90_000 }: Http1Limits = {},
): Server {
  const to: Reception = { connections: new Http1Connections(scheduler), onRequest };
  const server = createServer(
    {
      IncomingMessage: Http1Message,
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: headersMs,
      requestTimeout: 0, // bodies have the time of their request; uploads through the proxy have none
      connectionsCheckingInterval: checkMs,
      keepAliveTimeout: idleMs,
      requireHostHeader: false, // looked at with what else upstream refuses
    },
    (message, response) => receive(message, response, new PlainBody(message), to),
  );
  // Node drops what is beyond, silently: an Impersonate-User behind 1,000 other headers would not be seen. The bytes are limited.
  server.maxHeadersCount = 0;
  // Node's clock for headers starts when a server listens. This one never does: its sockets come from the TLS server.
  server.emit("listening");
  server.on("connection", readInJavaScript);
  server.on("checkContinue", (message: IncomingMessage, response: ServerResponse) =>
    receive(message, response, expectedBody(message, response), to),
  );
  server.on("checkExpectation", (_message: IncomingMessage, response: ServerResponse) =>
    response.writeHead(417, { connection: "close", "content-length": 0 }).end(),
  );
  const onUpgrade = (message: Http1Message, socket: Socket, head: Buffer): void =>
    receiveUpgrade(message, socket, head, to);
  server.on("upgrade", onUpgrade);
  server.on("connect", onUpgrade); // no tunnels: answered like any other method
  server.on("clientError", (err, socket) => refuseUnparsed(err, socket as Socket, to.connections));
  return server;
}

/**
 * Makes node read the socket by `data` events. Else its parser takes bytes from the TLS handle, beside the stream: a request that arrives
 * before the last bytes of the former answer are acknowledged pauses socket and parser, but not the handle, which goes on with the records
 * that are decrypted already. The parser refuses those (HPE_PAUSED), and the request is lost: of POSTs of a megabyte in a row, one in ten.
 */
function readInJavaScript(socket: Socket): void {
  socket.on("data", nothing);
  socket.off("data", nothing);
}

/**
 * What node's parser refused. Where requests before it are not answered yet, their answers come first, as with Go's server: the
 * parser is ahead of them.
 */
function refuseUnparsed(err: Error & { code?: string }, socket: Socket, connections: Http1Connections): void {
  // Behind a request with `Connection: close` nothing is read (RFC 9112, section 9.6). Its answer closes the connection.
  if (err.code === "HPE_CLOSED_CONNECTION") return;
  const refusal = refusalOfError(err);
  if (!refusal) return void socket.destroy();
  const connection = connections.of(socket);
  if (!connection.hasWholeRequest) return writeRefusal(refusal, socket);
  connection.enqueue(
    () => {
      socket.once("finish", () => socket.destroy()); // it is paused, and would not notice that its client left
      writeRefusal(refusal, socket);
    },
    { takesSocket: true },
  );
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
  connection.arriving = message;
  connection.enqueue(() => {
    whenOver(response, () => connection.over());
    onRequest(request, sink);
  });
}

/** Its last byte is with the operating system, or its connection is gone. */
function whenOver(response: ServerResponse, then: () => void): void {
  const over = (): void => {
    response.off("finish", over);
    response.off("close", over);
    then();
  };
  response.once("finish", over);
  response.once("close", over);
}

const targetOf = (message: IncomingMessage): RequestTarget => parseTarget(message.url ?? "/", message.method ?? "GET");

/**
 * An upgrade request gets an HTTP response unless a handler takes the connection over. Either way it carries no further request:
 * node's parser is detached from it.
 */
function receiveUpgrade(message: Http1Message, socket: Socket, head: Buffer, to: Reception): void {
  socket.on("error", () => socket.destroy());
  // Behind requests that are not answered yet the socket is theirs.
  to.connections.of(socket).enqueue(() => beginUpgrade(message, socket, head, to), { takesSocket: true });
}

function beginUpgrade(
  message: Http1Message,
  socket: Socket,
  head: Buffer,
  { connections, onRequest }: Reception,
): void {
  const response = new ServerResponse(message);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once("finish", () => socket.destroySoon());
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
  onRequest(request, sink);
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
  #isLong = false;

  constructor(response: ServerResponse, onHead: () => void = nothing) {
    this.#response = response;
    this.#onHead = onHead;
  }

  get headersSent(): boolean {
    return this.#response.headersSent;
  }

  get unreadBytes(): number {
    return this.#response.writableLength;
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
    if (this.#response.destroyed) return Promise.reject(clientGone);
    if (!this.#response.writableNeedDrain) return Promise.resolve();
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
    const response = this.#response;
    return new Promise((resolve, reject) => {
      // The callback of a write does not come when the client stops reading and leaves.
      const gone = (): void => reject(clientGone);
      response.once("close", gone);
      response.write(chunk, (err) => {
        response.off("close", gone);
        if (err) reject(err);
        else resolve();
      });
    });
  }

  end(chunk?: Uint8Array): void {
    if (!chunk) return void this.#response.end();
    this.#isLong = chunk.length > maxUnreadBytes;
    this.bytes += chunk.length;
    this.#response.end(chunk);
  }

  flushed(): Soon<void> {
    const response = this.#response;
    if (!this.#isLong || response.writableFinished || response.destroyed) return;
    return new Promise((resolve) => whenOver(response, resolve));
  }

  abort(): void {
    this.#response.destroy();
  }
}
