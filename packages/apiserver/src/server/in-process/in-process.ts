import { Readable } from "node:stream";
import { stringifyJson } from "@coxswain/apimachinery/json";
import {
  BatchQueue,
  encodeBody,
  limitRequest,
  parseJsonBody,
  parseWarnings,
  requestTarget,
  responseError,
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from "@coxswain/client/transport";
import { type WatchEvent, type WatchStream, watchBytes } from "@coxswain/client/watch";
import { type Clock, systemClock, type Timer } from "@coxswain/runtime/clock";
import type { Scheduler } from "@coxswain/runtime/scheduler";
import type { CacheEntry } from "../../cache/cache-entry.js";
import { parseEntry, parseMetadata, parseWhole, parseWholeMetadata } from "../../cache/parse-entry.js";
import type { Watcher } from "../../cache/watcher.js";
import type { Answer, WatchAnswer } from "../../request/answer.js";
import type { ApiRequest } from "../../request/request.js";
import type { UserInfo } from "../../request/user-info.js";
import type { AnsweredRequest } from "../requests/data-recipient.js";
import type { RequestServer } from "../requests/serve-requests.js";
import { bodyValue, failureOf, readWhole } from "./answer-value.js";
import { createByteRequester } from "./byte-requester.js";
import { processRequest } from "./process-request.js";

export interface InProcessOptions {
  /** Who the server takes the caller for; no listener can set it. */
  readonly user: UserInfo;
  /** For `timeoutMs` of requests and the server's time limit of watches. @default the system clock */
  readonly clock?: Clock;
  /** Whether watches end when their time is over, so that their clients open them anew. In time that a test moves that is of no use. @default true */
  readonly endsWatches?: boolean;
  /** Objects in watches come without managedFields, and are shared with the server: for components, which do not read them. @default false */
  readonly dropsManagedFields?: boolean;
  /**
   * Shares the thread: a request is begun when it is the user's turn. Without it requests of the process never leave the promise jobs, and
   * hundreds that are sent at once are one section of the event loop. @default none
   */
  readonly scheduler?: Pick<Scheduler, "yield">;
}

/** What a request costs, most of which are writes. */
const microsPerRequest = 300;

/**
 * The way to a server in the same process: the whole chain of filters, without sockets, TLS and, for plain objects, JSON.
 * Values in answers are the caller's own. Objects in watches are parsed once per event for all watchers of the process,
 * and deeply readonly.
 */
export function createInProcessTransport(
  server: Pick<RequestServer, "answer" | "serve">,
  { user, clock = systemClock, endsWatches = true, dropsManagedFields = false, scheduler }: InProcessOptions,
): Transport {
  // Not the user's own name: what is in flight for it must not keep it from sending more.
  const flow = `in-process ${user.name}`;
  const turn = (): Promise<void> | undefined => scheduler?.yield(microsPerRequest, flow);
  return {
    async send(request) {
      // One that waited is charged in the slice where it runs: otherwise all that wait would run in the next one.
      for (let pause = turn(); pause; pause = turn()) await pause;
      const limit = limitRequest(request, clock);
      try {
        const answering = isPlain(request)
          ? server.answer(toApiRequest(request, user, limit.signal)).then((answered) => new ValueResponse(answered))
          : byBytes(server, request, { user, signal: limit.signal });
        return await Promise.race([answering, whenAborted(limit.signal)]);
      } finally {
        limit.release();
      }
    },
    async watch(request) {
      // The request ends with the watch, and not when the caller's time limit for opening it is over.
      const ending = new AbortController();
      const limit = limitRequest(request, clock);
      const stop = (): void => ending.abort(limit.signal.reason);
      limit.signal.addEventListener("abort", stop, { once: true });
      try {
        if (wantsTables(request)) {
          const opening = watchByBytes(server, request, { user, ending });
          return await Promise.race([opening, whenAborted(limit.signal)]);
        }
        const opening = server.answer(toApiRequest(request, user, ending.signal));
        const { answer } = await Promise.race([opening, whenAborted(limit.signal)]);
        if (answer.as === "stream" && answer.code === 200 && answer.body)
          return readEvents(answer.body, request.signal);
        if (answer.as !== "watch") throw failureOf(await readWhole(answer));
        return openStream(answer, {
          read: readerFor(wantsMetadata(request), dropsManagedFields),
          clock: endsWatches ? clock : undefined,
          signal: request.signal,
        });
      } finally {
        limit.release();
      }
    },
    close: () => Promise.resolve(),
  };
}

/** Whether the answer is wanted as whole objects in JSON; anything else is made as for a socket. */
function isPlain({ headers }: TransportRequest): boolean {
  const accept = headers?.["accept"];
  return accept === undefined || accept === "application/json" || accept === "*/*";
}

const wantsMetadata = ({ headers }: TransportRequest): boolean =>
  headers?.["accept"]?.includes("as=PartialObjectMetadata") === true;

const wantsTables = ({ headers }: TransportRequest): boolean => headers?.["accept"]?.includes("as=Table") === true;

function readerFor(metadataOnly: boolean, dropsManagedFields: boolean): (entry: CacheEntry) => unknown {
  if (dropsManagedFields) return metadataOnly ? parseMetadata : parseEntry;
  return metadataOnly ? parseWholeMetadata : parseWhole;
}

function toApiRequest(request: TransportRequest, user: UserInfo, signal: AbortSignal): ApiRequest {
  const { method, body } = request;
  return processRequest({
    method,
    target: requestTarget(request),
    headers: headersOf(request),
    body:
      body?.as === "value" ? { as: "value", value: body.value } : { as: "bytes", read: () => body?.bytes ?? nothing },
    signal,
    caller: { via: "process", user },
  });
}

const nothing = new Uint8Array(0);

const headersOf = ({ headers, body }: TransportRequest): Readonly<Record<string, string>> =>
  Object.assign({}, headers, body?.contentType !== undefined && { "content-type": body.contentType });

/** Rejects with the signal's reason when it is aborted. */
function whenAborted(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => {}); // callers that race it receive the reason
  return aborted;
}

/** The answer as a socket would carry it: tables, metadata, protobuf, YAML. */
async function byBytes(
  server: Pick<RequestServer, "serve">,
  request: TransportRequest,
  sent: ByteSending,
): Promise<TransportResponse> {
  const { status, headers, body } = await createByteRequester(
    server,
    sent.user,
  )({
    method: request.method,
    path: requestTarget(request),
    headers: headersOf(request),
    ...(request.body && { body: encodeBody(request.body).bytes }),
    signal: sent.signal,
  });
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === "object" ? value.join(", ") : value;
  };
  const whole = async (): Promise<Uint8Array> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  return {
    status,
    header,
    warnings: parseWarnings(header("warning")),
    value: async () => parseJsonBody(await whole()),
    bytes: whole,
    stream: () => body,
  };
}

/** A watch of Tables: rows are made as for a socket. */
async function watchByBytes(
  server: Pick<RequestServer, "serve">,
  request: TransportRequest,
  { user, ending }: { readonly user: UserInfo; readonly ending: AbortController },
): Promise<WatchStream> {
  const response = await byBytes(server, request, { user, signal: ending.signal });
  if (response.status !== 200) {
    const { method, path } = request;
    const { status, header } = response;
    throw responseError({ method, path, status, header, body: await response.bytes() });
  }
  const body = Readable.from(response.stream());
  body.once("close", () => ending.abort());
  return readEvents(body, request.signal);
}

interface ByteSending {
  readonly user: UserInfo;
  readonly signal: AbortSignal;
}

class ValueResponse implements TransportResponse {
  readonly #answered: AnsweredRequest;

  constructor(answered: AnsweredRequest) {
    this.#answered = answered;
  }

  get status(): number {
    return this.#answered.code;
  }

  get warnings(): readonly string[] {
    return this.#answered.warnings;
  }

  header(name: string): string | undefined {
    const { answer } = this.#answered;
    if (name === "content-type" && answer.as !== "stream")
      return answer.as === "document" ? answer.contentType : "application/json";
    const value = headersIn(answer)[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  async value(): Promise<unknown> {
    const answer = await readWhole(this.#answered.answer);
    return answer.as === "document" ? parseJsonBody(answer.bytes) : bodyValue(answer);
  }

  async bytes(): Promise<Uint8Array> {
    const answer = await readWhole(this.#answered.answer);
    if (answer.as === "document") return answer.bytes;
    return answer.as === "object" ? answer.object.bytes : new TextEncoder().encode(stringifyJson(bodyValue(answer)));
  }

  async *stream(): AsyncIterable<Uint8Array> {
    const { answer } = this.#answered;
    if (answer.as !== "stream") yield await this.bytes();
    else if (answer.body) yield* answer.body as AsyncIterable<Uint8Array>;
  }
}

/** Those that matter to a client of this process: a 429 names the time to wait in one. */
function headersIn(answer: Answer): Readonly<Record<string, string | string[]>> {
  const retryAfterSeconds = answer.as === "status" ? answer.status.details?.retryAfterSeconds : undefined;
  const headers = "headers" in answer ? answer.headers : undefined;
  return { ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }), ...headers };
}

/** A watch that another server answers. */
function readEvents(body: Readable, signal: AbortSignal | undefined): WatchStream {
  const { stream, sink } = watchBytes(
    { pause: () => body.pause(), resume: () => body.resume(), cancel: () => body.destroy() },
    { signal },
  );
  body.on("data", (chunk: Uint8Array) => sink.data(chunk));
  body.once("end", () => sink.end());
  body.once("error", (error: Error) => sink.fail(new TransportError("lost", error.message)));
  body.once("close", () => sink.fail(new TransportError("lost", "the aggregated server has ended the watch")));
  return stream;
}

interface StreamOptions {
  readonly read: (entry: CacheEntry) => unknown;
  /** Undefined: the watch lasts until somebody ends it. */
  readonly clock: Clock | undefined;
  readonly signal: AbortSignal | undefined;
}

function openStream(answer: WatchAnswer, { read, clock, signal }: StreamOptions): WatchStream {
  /** Lets the server go on once the reader has taken what waits. */
  let resume: (() => void) | undefined;
  let isFull = false;
  /** Filled below: the watch may end while it is being opened. */
  const opened: { watcher?: Watcher; timer?: Timer } = {};
  const queue = new BatchQueue<WatchEvent>({
    isEndless: clock === undefined,
    onStop: () => release(),
    onFull: () => (isFull = true),
    onRoom() {
      isFull = false;
      resume?.();
    },
  });
  const stop = (): void => queue.stop();
  function release(): void {
    opened.timer?.cancel();
    signal?.removeEventListener("abort", stop);
    opened.watcher?.stop();
  }
  if (answer.refusal) {
    queue.push([{ type: "ERROR", error: answer.refusal }]);
    queue.end();
    return queue;
  }
  const watcher = answer.open({
    deliver(deliveries) {
      queue.push(deliveries.map(({ type, entry }) => ({ type, object: read(entry) })));
      return isFull ? new Promise((resolve) => (resume = resolve)) : undefined;
    },
    bookmark(revision, initialEventsEnd) {
      if (answer.bookmarks) queue.push([{ type: "BOOKMARK", resourceVersion: String(revision), initialEventsEnd }]);
    },
    end(reason) {
      release();
      // A watch that was cut must not look finished: its client would think it had seen all.
      queue.end(
        reason === "slow" ? new TransportError("lost", "the watch fell too far behind and was ended") : undefined,
      );
    },
  });
  opened.watcher = watcher;
  if (queue.ended) watcher.stop();
  else if (clock)
    opened.timer = clock.setTimer(answer.timeoutMs, () => {
      watcher.sendBookmark();
      watcher.stop();
    });
  if (signal?.aborted) stop();
  else signal?.addEventListener("abort", stop, { once: true });
  return queue;
}
