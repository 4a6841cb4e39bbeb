import type { WatchStream } from "./watch-event.js";

/** A request as data: built purely, sent by a `Transport`. */
export interface TransportRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  /** Absolute and percent-encoded, without the query. */
  readonly path: string;
  /** In this order, not encoded. */
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: TransportBody;
  readonly signal?: AbortSignal;
  /** From sending to the end of the answer; of a watch, to its beginning. @default none */
  readonly timeoutMs?: number;
}

export type TransportBody =
  /** Encoded as JSON where it must leave the process; `contentType` names the patch type of a PATCH. */
  | { readonly as: "value"; readonly value: unknown; readonly contentType?: string }
  | { readonly as: "bytes"; readonly bytes: Uint8Array; readonly contentType: string };

/** An answer of any status code. The body is taken once, by one of the methods. */
export interface TransportResponse {
  readonly status: number;
  /** By lower-case name; several lines of one name joined by ", ". */
  header(name: string): string | undefined;
  /** The texts of the `Warning` headers. */
  readonly warnings: readonly string[];
  /** The body as a JSON value of the caller's own. Throws a TransportError when it is no JSON. */
  value(): Promise<unknown>;
  bytes(): Promise<Uint8Array>;
  /** As it comes; for logs. */
  stream(): AsyncIterable<Uint8Array>;
}

/** The way to one cluster: sockets, or a server in the same process. */
export interface Transport {
  /** Any status code is an answer; rejects with a TransportError when there was none. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /**
   * Opens a watch. Rejects with a StatusError when the server refuses it. Objects are deeply readonly: a server in the
   * same process hands out one frozen copy to all.
   */
  watch(request: TransportRequest): Promise<WatchStream>;
  /** Ends idle connections and waits for requests under way. */
  close(): Promise<void>;
}
