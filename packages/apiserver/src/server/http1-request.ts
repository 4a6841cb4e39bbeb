import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { patronOf } from "./http1-patron.js";
import { clientGone, LazySignal } from "./lazy-signal.js";
import { readLimited } from "./read-limited.js";
import type { ApiRequest, Caller, RequestBody, Taken, Wire } from "./request.js";
import type { RequestTarget } from "./request-target.js";
import { callerOf } from "./socket-caller.js";

/** What comes behind the head of a request. */
export interface Http1Body {
  readonly exists: boolean;
  open(): Readable;
}

/** One that the client sends by itself. */
export class PlainBody implements Http1Body {
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage) {
    this.#message = message;
  }

  get exists(): boolean {
    const { headers } = this.#message;
    return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  }

  open(): Readable {
    return this.#message;
  }
}

interface Parts {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: RequestTarget;
  readonly body: Http1Body;
  readonly upgrade?: () => Taken;
}

/** One per request: what is seldom asked for is made when it is asked for. */
export class Http1Request implements ApiRequest {
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #body: Http1Body;
  readonly #upgrade: (() => Taken) | undefined;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly caller: Caller;
  #gone: LazySignal | undefined;
  #names: readonly string[] | undefined;
  #wire: Wire | undefined;

  constructor({ message, response, target, body, upgrade }: Parts) {
    this.#message = message;
    this.#response = response;
    this.#body = body;
    this.#upgrade = upgrade;
    this.method = message.method ?? "GET";
    this.path = target.path;
    this.query = target.query;
    this.caller = callerOf(message.socket);
  }

  header(name: string): string | undefined {
    const value = this.#message.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  headerNames(): Iterable<string> {
    return (this.#names ??= Object.keys(this.#message.headers));
  }

  get body(): RequestBody {
    return { as: "bytes", read: (limit) => readLimited(this.#body.open(), limit) };
  }

  get signal(): AbortSignal {
    return this.#going().signal;
  }

  whenGone(then: () => void): () => void {
    return this.#going().whenAborted(then);
  }

  /** Most requests are answered before anybody wants to know whether their client is gone. */
  #going(): LazySignal {
    if (this.#gone) return this.#gone;
    const gone = (this.#gone = new LazySignal());
    // Of a connection that was taken, the response knows nothing any more.
    const watched = this.#upgrade ? this.#message.socket : this.#response;
    if (watched.closed) gone.abort(clientGone);
    else watched.once("close", () => gone.abort(clientGone));
    return gone;
  }

  identified(user: string): void {
    patronOf(this.#message.socket).user = user;
  }

  get wire(): Wire {
    return (this.#wire ??= {
      protocol: "HTTP/1.1",
      hangUp: () => void (this.#response.shouldKeepAlive = false),
      headerLines: () => pairsOf(this.#message.rawHeaders),
      hasBody: this.#body.exists,
      openBody: () => this.#body.open(),
      ...(this.#upgrade ? { upgrade: this.#upgrade } : {}),
    });
  }
}

const pairsOf = (raw: readonly string[]): [string, string][] => Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? "", raw[2 * at + 1] ?? ""]);
