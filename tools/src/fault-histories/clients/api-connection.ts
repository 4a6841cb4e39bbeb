import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import type { StoredObject } from "../history/stored-object.js";

export interface Credentials {
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface ApiRequest {
  readonly method: string;
  /** Below the objects' collection: a name, a query, or both. */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** A Status, an object or a list, as far as the histories look at it. */
export interface ApiBody extends Partial<StoredObject> {
  readonly items?: readonly StoredObject[];
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly uid?: string };
  /** Of `/version`. */
  readonly gitVersion?: string;
}

export interface ApiAnswer {
  readonly code: number;
  readonly retryAfter: string | undefined;
  readonly body: ApiBody;
}

/** One client's connections to one API server. It repeats nothing: what a request became stands in the history. */
export class ApiConnection {
  readonly #url: string;
  readonly #agent: Agent;
  readonly #timeoutMs: number;

  /** @param url of the collection: `https://…/api/v1/namespaces/NAME/configmaps` */
  constructor(url: string, credentials: Credentials, timeoutMs: number) {
    this.#url = url;
    this.#timeoutMs = timeoutMs;
    this.#agent = new Agent({ ...credentials, keepAlive: true });
  }

  /** @throws Error when there is no answer in time */
  async call(asked: ApiRequest): Promise<ApiAnswer> {
    const answer = await this.open(asked, AbortSignal.timeout(this.#timeoutMs));
    let text = "";
    for await (const chunk of answer) text += String(chunk);
    return {
      code: answer.statusCode ?? 0,
      retryAfter: answer.headers["retry-after"],
      body: (text.startsWith("{") ? JSON.parse(text) : { message: text }) as ApiBody,
    };
  }

  /** Resolves with the headers. @param signal cuts the connection */
  open(
    { method, path, body, contentType = "application/json" }: ApiRequest,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      // Of a DELETE's body Node sends no length by itself.
      const headers =
        text === undefined ? {} : { "content-type": contentType, "content-length": Buffer.byteLength(text) };
      const sent = request(`${this.#url}${path}`, { method, headers, agent: this.#agent, signal }, resolve);
      sent.on("error", reject);
      sent.end(text);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
