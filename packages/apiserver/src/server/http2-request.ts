import type { Header, ServerSession, ServerStream } from "@coxswain/wire/http2";
import { openHttp2Body, readHttp2Body } from "./http2-body.js";
import { clientGone, LazySignal } from "./lazy-signal.js";
import type { ApiRequest, Caller, RequestBody, Wire } from "./request.js";

/** Of these the first line counts; of others all do. */
const saidOnce = new Set(["authorization", "content-encoding", "content-length", "content-type", "host", "if-modified-since", "if-none-match", "range", "referer", "user-agent"]);

interface Head {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly caller: Caller;
  readonly session: ServerSession;
}

/** One per request: what is seldom asked for is made when it is asked for. */
export class Http2Request implements ApiRequest {
  readonly #stream: ServerStream;
  readonly #gone = new LazySignal();
  readonly #session: ServerSession;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly caller: Caller;
  #names: readonly string[] | undefined;
  #wire: Wire | undefined;

  constructor(stream: ServerStream, { method, path, query, caller, session }: Head) {
    this.#stream = stream;
    this.method = method;
    this.path = path;
    this.query = query;
    this.caller = caller;
    this.#session = session;
    stream.whenOver(() => this.#gone.abort(clientGone));
  }

  header(name: string): string | undefined {
    let found: string | undefined;
    for (const header of this.#stream.headers) {
      if (header[0] !== name) continue;
      if (found === undefined) found = header[1];
      else if (!saidOnce.has(name)) found += `, ${header[1]}`;
    }
    return found;
  }

  headerNames(): Iterable<string> {
    return (this.#names ??= [...new Set(this.#stream.headers.map(([name]) => name))]);
  }

  get body(): RequestBody {
    return { as: "bytes", read: (limit) => readHttp2Body(this.#stream, limit) };
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  whenGone(then: () => void): () => void {
    return this.#gone.whenAborted(then);
  }

  identified(user: string): void {
    this.#session.user = user;
  }

  get wire(): Wire {
    const stream = this.#stream;
    return (this.#wire ??= {
      protocol: "HTTP/2.0",
      hangUp: () => this.#session.close(),
      headerLines: () => linesOf(stream.headers),
      hasBody: stream.hasBody,
      openBody: () => openHttp2Body(stream),
    });
  }
}

function linesOf(headers: readonly Header[]): Header[] {
  const host = headers.find(([name]) => name === ":authority") ?? headers.find(([name]) => name === "host");
  return [["host", host?.[1] ?? ""], ...headers.filter(([name]) => !name.startsWith(":") && name !== "host")];
}
