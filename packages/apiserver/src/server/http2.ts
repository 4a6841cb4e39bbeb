import { constants, createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import { hasBrokenEscape } from "./decode-path.js";
import { Http2Request } from "./http2-request.js";
import type { RequestSink } from "./listener.js";
import { clientGone } from "./lazy-signal.js";
import { asksForServer, parseTarget } from "./request-target.js";
import type { ResponseSink } from "./response-sink.js";

/** Unsent data that one connection may hold before new streams on it are refused; slow watchers are cut long before by the cache. */
const sessionMemoryMegabytes = 512;

/** HTTP/2 on sockets that TLS has already spoken for. */
export function createHttp2Server(onRequest: RequestSink, maxStreams = 1000): Http2Server {
  const server = createServer({
    maxSessionMemory: sessionMemoryMegabytes,
    settings: { maxConcurrentStreams: maxStreams, initialWindowSize: 1 << 20 },
    maxHeaderListPairs: 256,
  });
  server.on("session", (session: ServerHttp2Session) => {
    // Flow control per connection: the default of 64 KiB would make one slow upload hold up all the others.
    session.setLocalWindowSize(16 << 20);
    session.on("error", () => session.destroy());
  });
  server.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on("error", () => stream.destroy());
    const target = parseTarget(headers[":path"] ?? "", ""); // only CONNECT has none
    if (hasBrokenEscape(target.path)) return stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
    if (asksForServer(headers[":method"] ?? "", target)) return stream.respond({ ":status": 200, "content-length": 0 }, { endStream: true });
    onRequest(new Http2Request(stream, headers, target), new Http2Sink(stream));
  });
  return server;
}

class Http2Sink implements ResponseSink {
  readonly #stream: ServerHttp2Stream;
  code = 0;
  bytes = 0;

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream;
  }

  get headersSent(): boolean {
    return this.#stream.headersSent;
  }

  head(code: number, headers: Record<string, string | string[]>): void {
    this.code = code;
    if (!this.#stream.destroyed) this.#stream.respond(Object.assign(headers, { ":status": code }));
  }

  only(code: number, headers: Record<string, string | string[]>): void {
    this.code = code;
    // Said with the head: a 304 that is ended afterwards reaches Go clients as a reset stream.
    if (!this.#stream.destroyed) this.#stream.respond(Object.assign(headers, { ":status": code }), { endStream: true });
  }

  write(chunk: Uint8Array): boolean {
    this.bytes += chunk.length;
    return this.#stream.destroyed ? true : this.#stream.write(chunk);
  }

  drained(): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        this.#stream.off("drain", done);
        this.#stream.off("close", done);
        if (this.#stream.destroyed) reject(clientGone);
        else resolve();
      };
      this.#stream.on("drain", done);
      this.#stream.on("close", done);
    });
  }

  send(chunk: Uint8Array): Promise<void> {
    this.bytes += chunk.length;
    return new Promise((resolve, reject) => {
      if (this.#stream.destroyed) reject(clientGone);
      else this.#stream.write(chunk, (err) => (err ? reject(err) : resolve()));
    });
  }

  end(chunk?: Uint8Array): void {
    if (this.#stream.destroyed) return;
    if (!chunk) return void this.#stream.end();
    this.bytes += chunk.length;
    this.#stream.end(chunk);
  }

  abort(): void {
    this.#stream.close(constants.NGHTTP2_CANCEL);
  }
}
