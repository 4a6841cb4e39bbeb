import type { ResponseSink } from "../../request/response-sink.js";
import type { UserInfo } from "../../request/user-info.js";
import type { RequestServer } from "../requests/serve-requests.js";
import { processRequest } from "./process-request.js";

export interface ByteRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
}

export interface ByteAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Requests as bytes without a socket: what a client would see, for tests that compare with another server. Without a
 * user the request's own credentials count.
 */
export function createByteRequester(
  server: Pick<RequestServer, "serve">,
  user: UserInfo | undefined,
): (request: ByteRequest) => Promise<ByteAnswer> {
  return (request) =>
    new Promise((resolve) => {
      const { method, path, headers, body = new Uint8Array(0), signal } = request;
      const sent = processRequest({
        method,
        target: path,
        headers,
        signal,
        body: {
          as: "bytes",
          read: (limit) => (body.length > limit ? Promise.reject(new Error("too long")) : Promise.resolve(body)),
        },
        caller: user ? { via: "process", user } : { via: "socket", remoteAddress: "127.0.0.1", certificate: undefined },
      });
      void server.serve(sent, new CollectingSink(resolve));
    });
}

class CollectingSink implements ResponseSink {
  /** It keeps what it gets. */
  readonly isEmpty = false;
  readonly unreadBytes = 0;
  readonly #onHead: (answer: ByteAnswer) => void;
  #chunks: Uint8Array[] = [];
  #wake: () => void = () => {};
  #ended = false;
  headersSent = false;
  code = 0;
  bytes = 0;

  constructor(onHead: (answer: ByteAnswer) => void) {
    this.#onHead = onHead;
  }

  head(status: number, headers: Readonly<Record<string, string | string[]>>): void {
    this.headersSent = true;
    this.code = status;
    this.#onHead({ status, headers, body: this.#body() });
  }

  only(status: number, headers: Readonly<Record<string, string | string[]>>): void {
    this.head(status, headers);
    this.end();
  }

  write(chunk: Uint8Array): boolean {
    this.bytes += chunk.length;
    this.#chunks.push(Uint8Array.from(chunk));
    this.#wake();
    return true;
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  send(chunk: Uint8Array): Promise<void> {
    this.write(chunk);
    return Promise.resolve();
  }

  end(chunk?: Uint8Array): void {
    if (chunk) this.write(chunk);
    this.#ended = true;
    this.#wake();
  }

  flushed(): void {}

  abort(): void {
    this.end();
  }

  async *#body(): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const chunks = this.#chunks;
      this.#chunks = [];
      yield* chunks;
      if (this.#chunks.length > 0) continue;
      if (this.#ended) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
