import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { ApiRequest, RequestBody, Taken, Wire } from "../../request/request.js";
import { readLimited } from "../connection/read-limited.js";
import type { RequestTarget } from "../connection/request-target.js";
import { ServedRequest } from "../connection/served-request.js";
import { callerOf } from "../connection/socket-caller.js";
import type { Http1Connection } from "./connection.js";

/** The body of a request. */
export interface Http1Body {
  readonly exists: boolean;
  open(): Readable;
}

/** A body that the client sends without waiting. */
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
  readonly connection: Pick<Http1Connection, "flow">;
  readonly upgrade?: () => Taken;
}

/** One per request: what is seldom needed is computed on demand. */
export class Http1Request extends ServedRequest implements ApiRequest {
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #body: Http1Body;
  readonly #upgrade: (() => Taken) | undefined;
  readonly #connection: Pick<Http1Connection, "flow">;
  #names: readonly string[] | undefined;
  #wire: Wire | undefined;

  constructor({ message, response, target, body, connection, upgrade }: Parts) {
    super(message.method ?? "GET", target, callerOf(message.socket));
    this.#message = message;
    this.#response = response;
    this.#body = body;
    this.#upgrade = upgrade;
    this.#connection = connection;
  }

  header(name: string): string | undefined {
    const value = this.#message.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  headerNames(): Iterable<string> {
    return (this.#names ??= Object.keys(this.#message.headers));
  }

  get body(): RequestBody {
    return { as: "bytes", read: (limit, room) => readLimited(this.#body.open(), limit, room) };
  }

  protected override watchClient(then: () => void): void {
    // After an upgrade the response is detached from the connection.
    const watched = this.#upgrade ? this.#message.socket : this.#response;
    if (watched.closed) then();
    else watched.once("close", then);
  }

  identified(user: string): void {
    this.#connection.flow = user;
  }

  get wire(): Wire {
    return (this.#wire ??= {
      protocol: "HTTP/1.1",
      closeConnection: () => void (this.#response.shouldKeepAlive = false),
      headerLines: () => pairsOf(this.#message.rawHeaders),
      hasBody: this.#body.exists,
      openBody: () => this.#body.open(),
      ...(this.#upgrade ? { upgrade: this.#upgrade } : {}),
    });
  }
}

const pairsOf = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? "", raw[2 * at + 1] ?? ""]);
