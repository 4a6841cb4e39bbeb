import { trimEndOf } from "@coxswain/apimachinery/text";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { encodeBody, parseJsonBody } from "../transport/json-body.js";
import { requestTarget } from "../transport/query.js";
import { limitRequest, type RequestLimit } from "../transport/request-limit.js";
import { responseError } from "../transport/response-error.js";
import type { Transport, TransportRequest, TransportResponse } from "../transport/transport.js";
import { TransportError } from "../transport/transport-error.js";
import { parseWarnings } from "../transport/warnings.js";
import type { WatchStream } from "../transport/watch-event.js";
import { watchChunks } from "../watch/watch-chunks.js";

export interface FetchTransportOptions {
  /** Where the API is: "https://host:6443", or "/k8s" behind a proxy of one's own. @default the page's own origin */
  readonly server?: string;
  /** Added to each request, for example an authorization; asked each time, so that a token may change. */
  readonly headers?: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** @default the platform's */
  readonly fetch?: typeof globalThis.fetch;
  /** Its `clock` is for `timeoutMs`. @default systemRuntime() */
  readonly runtime?: Runtime;
}

/** Over the platform's `fetch`: browsers, Deno, Bun, workers. Certificates and proxies are the platform's business. */
export function createFetchTransport(options: FetchTransportOptions = {}): Transport {
  const { server = "", headers, runtime = systemRuntime() } = options;
  const base = trimEndOf(server, "/");
  const underWay = new Set<Promise<unknown>>();

  async function exchange(request: TransportRequest): Promise<{ response: Response; limit: RequestLimit }> {
    const body = request.body && encodeBody(request.body);
    const limit = limitRequest(request, runtime.clock);
    try {
      const response = await (options.fetch ?? globalThis.fetch)(`${base}${requestTarget(request)}`, {
        method: request.method,
        headers: {
          accept: "application/json",
          ...(body && { "content-type": body.contentType }),
          ...(await headers?.()),
          ...request.headers,
        },
        ...(body && { body: body.bytes as Uint8Array<ArrayBuffer> }),
        signal: limit.signal,
      });
      return { response, limit };
    } catch (cause) {
      limit.release();
      if (limit.signal.aborted) throw limit.signal.reason;
      // The platform does not report how far the request came.
      throw new TransportError("connect", `cannot reach ${base === "" ? "the server" : base}`, {
        cause,
        neverSent: false,
      });
    }
  }

  const track = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    void work.finally(() => underWay.delete(work)).catch(() => {}); // the caller receives the error
    return work;
  };

  return {
    send: (request) => track(exchange(request).then(({ response, limit }) => new FetchResponse(response, limit))),
    async watch(request) {
      const { response, limit } = await exchange(request);
      if (response.ok) return readWatch(response, limit);
      try {
        throw responseError({
          method: request.method,
          path: request.path,
          status: response.status,
          header: (name) => response.headers.get(name) ?? undefined,
          body: new Uint8Array(await response.arrayBuffer()),
        });
      } finally {
        limit.release();
      }
    },
    async close() {
      await Promise.allSettled(underWay);
    },
  };
}

class FetchResponse implements TransportResponse {
  readonly #response: Response;
  readonly #limit: RequestLimit;
  readonly status: number;

  constructor(response: Response, limit: RequestLimit) {
    this.#response = response;
    this.#limit = limit;
    this.status = response.status;
  }

  header(name: string): string | undefined {
    return this.#response.headers.get(name) ?? undefined;
  }

  get warnings(): readonly string[] {
    return parseWarnings(this.header("warning"));
  }

  async value(): Promise<unknown> {
    return parseJsonBody(await this.bytes());
  }

  async bytes(): Promise<Uint8Array> {
    try {
      return new Uint8Array(await this.#response.arrayBuffer());
    } catch (cause) {
      if (this.#limit.signal.aborted) throw this.#limit.signal.reason;
      throw new TransportError("lost", "the connection was lost before the answer was complete", { cause });
    } finally {
      this.#limit.release();
    }
  }

  async *stream(): AsyncGenerator<Uint8Array, void> {
    try {
      yield* chunksOf(this.#response);
    } finally {
      this.#limit.release();
    }
  }
}

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // A reader that leaves early ends the request; of one that read everything this does nothing.
    await reader.cancel().catch(() => {});
  }
}

const readWatch = (response: Response, limit: RequestLimit): WatchStream =>
  watchChunks(chunksOf(response), {
    limit,
    cancel: () => limit.cancel(),
    failure: (cause) => new TransportError("lost", "the watch's connection was lost", { cause }),
  });
