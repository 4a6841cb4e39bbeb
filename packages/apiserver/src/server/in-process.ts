import { StatusError, type Status } from "@coxswain/apimachinery/status";
import type { Delivery } from "../cache/cache-event.js";
import { bytesOf } from "../cache/cache-entry.js";
import { encodedObject } from "../cache/encoded-object.js";
import type { Answer, ListAnswer, WatchAnswer } from "../request/answer.js";
import type { ApiServer } from "./api-server.js";
import { whenAborted } from "../runtime/lazy-signal.js";
import type { ApiRequest } from "../request/request.js";
import type { UserInfo } from "../request/user-info.js";

export interface InProcessRequest {
  method: string;
  /** With its query. */
  path: string;
  /** Copied by the server before it changes anything. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: unknown;
}

/** Requests that never touch a socket: the whole chain of filters, without TLS and without JSON on the way in. */
export interface InProcessTransport {
  /** The object, the list or the document; throws a StatusError for a failure. The value is private to the caller. */
  request(request: InProcessRequest): Promise<unknown>;
  /** Events until the server ends the watch or `signal` is aborted. Throws a StatusError when it cannot begin. */
  watch(request: InProcessRequest): AsyncIterable<WatchEvent>;
}

/** `user` is who the server takes the caller for; no listener can set it. */
export function createInProcessTransport(server: ApiServer, { user }: { user: UserInfo }): InProcessTransport {
  const toRequest = (request: InProcessRequest, signal: AbortSignal): ApiRequest => {
    const mark = request.path.indexOf("?");
    return {
      method: request.method,
      path: mark < 0 ? request.path : request.path.slice(0, mark),
      query: mark < 0 ? "" : request.path.slice(mark + 1),
      header: (name) => request.headers?.[name],
      headerNames: () => Object.keys(request.headers ?? {}),
      body:
        request.body === undefined
          ? { as: "bytes", read: () => Promise.resolve(new Uint8Array(0)) }
          : { as: "value", value: request.body },
      signal,
      whenGone: (then) => whenAborted(signal, then),
      caller: { via: "process", user },
    };
  };
  const never = new AbortController().signal;
  return {
    async request(request) {
      return valueOf(await server.answer(toRequest(request, request.signal ?? never)));
    },
    async *watch(request) {
      const ending = new AbortController();
      const answer = await server.answer(toRequest(request, ending.signal));
      if (answer.as !== "watch") throw failureOf(answer);
      if (answer.refusal) throw answer.refusal;
      yield* eventsOf(answer, request.signal ?? never);
    },
  };
}

function valueOf(answer: Answer): unknown {
  switch (answer.as) {
    case "object":
      return answer.object.parse();
    case "list":
      return listValue(answer);
    case "status":
      if (answer.status.status === "Failure") throw failureOf(answer);
      return answer.status;
    case "document":
      if (answer.code >= 400)
        throw new StatusError({
          code: answer.code,
          reason: answer.code === 429 ? "TooManyRequests" : answer.code === 504 ? "Timeout" : "",
          message: new TextDecoder().decode(answer.bytes).trim(),
        });
      return JSON.parse(new TextDecoder().decode(answer.bytes));
    case "watch":
      throw new Error("a watch is asked for with watch()");
    case "stream":
      answer.body?.destroy();
      throw new Error("an answer that is handed on as it comes needs a connection");
    case "upgraded":
      throw new Error("another protocol needs a connection");
  }
}

function listValue({ kind, entries, resourceVersion, continueToken, remainingItemCount }: ListAnswer): unknown {
  return {
    kind: kind.listKind,
    apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
    metadata: {
      ...(resourceVersion === "" ? {} : { resourceVersion }),
      ...(continueToken === undefined ? {} : { continue: continueToken }),
      ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
    },
    items: entries.map((entry) => encodedObject(bytesOf(entry)).parse()),
  };
}

function failureOf(answer: Answer): Error {
  if (answer.as !== "status") return new Error(`unexpected answer: ${answer.as}`);
  const { code = 500, reason = "", message = "", details } = answer.status as Status;
  return new StatusError({ code, reason, message, ...(details ? { details } : {}) });
}

/** Events wait here until they are taken; the cache cuts a watcher that takes too long. */
async function* eventsOf(answer: WatchAnswer, signal: AbortSignal): AsyncGenerator<WatchEvent, void> {
  let pending: WatchEvent[] = [];
  let wake: () => void = () => {};
  let room: (() => void) | undefined;
  let ended = false;
  const add = (event: WatchEvent): void => {
    pending.push(event);
    wake();
  };
  const watcher = answer.open({
    deliver(deliveries) {
      for (const delivery of deliveries) add(eventOf(delivery));
      return pending.length < 100 ? undefined : new Promise((resolve) => (room = resolve));
    },
    bookmark(revision) {
      if (answer.bookmarks)
        add({ type: "BOOKMARK", object: { kind: answer.kind.kind, metadata: { resourceVersion: String(revision) } } });
    },
    end() {
      ended = true;
      wake();
    },
  });
  const stop = (): void => watcher.stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) stop();
    for (;;) {
      const events = pending;
      pending = [];
      room?.();
      room = undefined;
      yield* events;
      if (pending.length > 0) continue;
      if (ended) return;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal.removeEventListener("abort", stop);
    watcher.stop();
  }
}

const eventOf = (delivery: Delivery): WatchEvent => ({
  type: delivery.type,
  object: encodedObject(bytesOf(delivery.entry)).parse(),
});
