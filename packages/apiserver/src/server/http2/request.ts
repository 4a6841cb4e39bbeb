import type { Header, ServerSession, ServerStream } from "@coxswain/wire/http2";
import type { ApiRequest, Caller, RequestBody, Wire } from "../../request/request.js";
import type { RequestTarget } from "../connection/request-target.js";
import { ServedRequest } from "../connection/served-request.js";
import { openHttp2Body, readHttp2Body } from "./body.js";

/** Headers of which only the first value counts; others are joined. */
const singleValued = new Set([
  "authorization",
  "content-encoding",
  "content-length",
  "content-type",
  "host",
  "if-modified-since",
  "if-none-match",
  "range",
  "referer",
  "user-agent",
]);

interface Head {
  readonly method: string;
  readonly target: RequestTarget;
  readonly caller: Caller;
  readonly session: ServerSession;
}

/** One per request: what is seldom needed is computed on demand. */
export class Http2Request extends ServedRequest implements ApiRequest {
  readonly #stream: ServerStream;
  readonly #session: ServerSession;
  #names: readonly string[] | undefined;
  #wire: Wire | undefined;

  constructor(stream: ServerStream, { method, target, caller, session }: Head) {
    super(method, target, caller);
    this.#stream = stream;
    this.#session = session;
  }

  header(name: string): string | undefined {
    let found: string | undefined;
    for (const header of this.#stream.headers) {
      if (header[0] !== name) continue;
      if (found === undefined) found = header[1];
      else if (!singleValued.has(name)) found += `, ${header[1]}`;
    }
    return found;
  }

  headerNames(): Iterable<string> {
    return (this.#names ??= this.#stream.headers.map(nameOf));
  }

  get body(): RequestBody {
    return { as: "bytes", read: (limit, room) => readHttp2Body(this.#stream, limit, room) };
  }

  protected override watchClient(then: () => void): void {
    this.#stream.onceClosed(then);
  }

  identified(user: string): void {
    this.#session.flow = user;
  }

  get wire(): Wire {
    const stream = this.#stream;
    return (this.#wire ??= {
      protocol: "HTTP/2.0",
      closeConnection: () => this.#session.close(),
      headerLines: () => linesOf(stream.headers),
      hasBody: stream.hasBody,
      openBody: () => openHttp2Body(stream),
    });
  }
}

const nameOf = ([name]: Header): string => name;

function linesOf(headers: readonly Header[]): Header[] {
  const host = headers.find(([name]) => name === ":authority") ?? headers.find(([name]) => name === "host");
  return [["host", host?.[1] ?? ""], ...headers.filter(([name]) => !name.startsWith(":") && name !== "host")];
}
