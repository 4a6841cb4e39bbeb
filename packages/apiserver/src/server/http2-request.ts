import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { clientGone, LazySignal } from "./lazy-signal.js";
import { readLimited } from "./read-limited.js";
import type { ApiRequest, Caller, RequestBody, Wire } from "./request.js";
import type { RequestTarget } from "./request-target.js";
import { callerOf } from "./socket-caller.js";

/** One per request: what is seldom asked for is made when it is asked for. */
export class Http2Request implements ApiRequest {
  readonly #stream: ServerHttp2Stream;
  readonly #headers: IncomingHttpHeaders;
  readonly #gone = new LazySignal();
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly caller: Caller;
  #names: readonly string[] | undefined;
  #wire: Wire | undefined;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, { path, query }: RequestTarget) {
    this.#stream = stream;
    this.#headers = headers;
    this.method = headers[":method"] ?? "GET";
    this.path = path;
    this.query = query;
    this.caller = callerOf(stream.session?.socket);
    stream.once("close", () => this.#gone.abort(clientGone));
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  headerNames(): Iterable<string> {
    return (this.#names ??= Object.keys(this.#headers));
  }

  get body(): RequestBody {
    return { as: "bytes", read: (limit) => readLimited(this.#stream, limit) };
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  whenGone(then: () => void): () => void {
    return this.#gone.whenAborted(then);
  }

  get wire(): Wire {
    const stream = this.#stream;
    return (this.#wire ??= {
      protocol: "HTTP/2.0",
      hangUp: () => stream.session?.close(),
      headerLines: () => linesOf(this.#headers),
      hasBody: !stream.endAfterHeaders,
      openBody: () => stream,
    });
  }
}

function linesOf(headers: IncomingHttpHeaders): [string, string][] {
  const lines: [string, string][] = [["host", headers[":authority"] ?? headers.host ?? ""]];
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(":") || name === "host" || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) lines.push([name, one]);
  }
  return lines;
}
