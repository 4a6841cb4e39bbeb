import type { TransportRequest } from "../transport/transport.js";
import type { TransportErrorKind } from "../transport/transport-error.js";

/** Requests and answers as data, to be kept in a file beside a test. Credentials are below what is recorded. */
export interface Recording {
  readonly exchanges: readonly RecordedExchange[];
}

export type RecordedExchange = RecordedRequest & { readonly answer: RecordedAnswer };

/** What must be the same for an answer to fit. */
export interface RecordedRequest {
  readonly method: TransportRequest["method"];
  /** Path and query. */
  readonly target: string;
  readonly accept?: string;
  /** As JSON, or base64 where it is no JSON. */
  readonly body?: RecordedBody;
  readonly isWatch: boolean;
}

export type RecordedBody = { readonly json: unknown } | { readonly base64: string };

export type RecordedAnswer =
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: RecordedBody }
  /** Frames of a watch, as the server would send them. */
  | {
      readonly frames: readonly { readonly type: string; readonly object: unknown }[];
      readonly ended: "by the server" | "by the client";
    }
  /** The server refused the watch. */
  | { readonly refused: unknown }
  | { readonly failed: { readonly kind: TransportErrorKind; readonly message: string } };
