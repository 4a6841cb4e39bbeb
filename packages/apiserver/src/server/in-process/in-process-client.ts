import type { WatchEvent } from "@coxswain/client/watch";
import type { UserInfo } from "../../request/user-info.js";
import type { RequestServer } from "../requests/serve-requests.js";
import { readWhole, valueOf } from "./answer-value.js";
import { createInProcessTransport } from "./in-process.js";
import { processRequest } from "./process-request.js";

export interface InProcessRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Copied by the server before it changes anything. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Requests by their paths, without a client library around them: short in tests. */
export interface InProcessClient {
  /** The object, the list or the document; throws a StatusError for a failure. The value is the caller's own. */
  request(request: InProcessRequest): Promise<unknown>;
  /** Events one by one until the server ends the watch or `signal` is aborted. Throws a StatusError when it cannot begin. */
  watch(request: InProcessRequest): AsyncIterable<WatchedEvent>;
}

export interface WatchedEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: unknown;
}

export function createInProcessClient(
  server: Pick<RequestServer, "answer" | "serve">,
  { user }: { user: UserInfo },
): InProcessClient {
  const transport = createInProcessTransport(server, { user });
  const never = new AbortController().signal;
  return {
    async request({ method, path, body, headers = {}, signal = never }) {
      const { answer } = await server.answer(
        processRequest({
          method,
          target: path,
          headers,
          body: body === undefined ? { as: "bytes", read: () => new Uint8Array(0) } : { as: "value", value: body },
          signal,
          caller: { via: "process", user },
        }),
      );
      return valueOf(await readWhole(answer));
    },
    async *watch({ path, headers, signal }) {
      const [, query = ""] = path.split("?");
      const stream = await transport.watch({
        method: "GET",
        path: path.slice(0, path.length - (query === "" ? 0 : query.length + 1)),
        query: [...new URLSearchParams(query)],
        ...(headers && { headers }),
        ...(signal && { signal }),
      });
      for await (const events of stream) for (const event of events) yield watched(event);
    },
  };
}

function watched(event: WatchEvent): WatchedEvent {
  switch (event.type) {
    case "ERROR":
      throw event.error;
    case "BOOKMARK":
      return { type: "BOOKMARK", object: { metadata: { resourceVersion: event.resourceVersion } } };
    default:
      return event;
  }
}
