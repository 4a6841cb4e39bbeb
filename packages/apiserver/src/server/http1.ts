import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { ApiRequest } from "./request.js";
import type { RequestSink } from "./listener.js";
import { clientGone, LazySignal } from "./lazy-signal.js";
import { readLimited } from "./read-limited.js";
import type { ResponseSink } from "./response-sink.js";
import { callerOf } from "./socket-caller.js";

const longestHeaders = 1 << 20;

/** HTTP/1.1 on sockets that TLS has already spoken for. */
export function createHttp1Server(onRequest: RequestSink): Server {
  const server = createServer({ maxHeaderSize: longestHeaders, keepAliveTimeout: 90_000 }, (message, response) => onRequest(requestOf(message, response), new Http1Sink(response)));
  server.on("clientError", (_err, socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request");
    else socket.destroy();
  });
  return server;
}

function requestOf(message: IncomingMessage, response: ServerResponse): ApiRequest {
  const target = message.url ?? "/";
  const mark = target.indexOf("?");
  const gone = new LazySignal();
  response.once("close", () => gone.abort(clientGone));
  return {
    method: message.method ?? "GET",
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? "" : target.slice(mark + 1),
    header(name) {
      const value = message.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    headerNames: () => Object.keys(message.headers),
    body: { as: "bytes", read: (limit) => readLimited(message, limit) },
    get signal() {
      return gone.signal;
    },
    caller: callerOf(message.socket),
  };
}

class Http1Sink implements ResponseSink {
  readonly #response: ServerResponse;
  code = 0;
  bytes = 0;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get headersSent(): boolean {
    return this.#response.headersSent;
  }

  head(code: number, headers: Readonly<Record<string, string | string[]>>): void {
    this.code = code;
    this.#response.writeHead(code, headers);
    // A watch may have nothing to say for long: its client waits for the head.
    this.#response.flushHeaders();
  }

  only(code: number, headers: Readonly<Record<string, string | string[]>>): void {
    this.code = code;
    this.#response.writeHead(code, headers).end();
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
