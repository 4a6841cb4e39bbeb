import type { Field } from "@coxswain/wire/http1";
import type { AnsweredHead } from "./client-call.js";
import type { Tunnel } from "./tunnel.js";

/** A request as it is sent to a backend. */
export interface SentRequest {
  readonly method: string;
  readonly scheme: "http" | "https";
  readonly authority: string;
  /** Path and query. */
  readonly target: string;
  /** Without those of a connection, and without Host. */
  readonly fields: readonly Field[];
  readonly hasBody: boolean;
  readonly bodyBytes: number | undefined;
  readonly upgrade: string | undefined;
}

/** Why a backend gave no answer, or not all of it. */
export interface BackendFailure {
  /**
   * `connect`: it was not reached. `unsent`: the connection was an old one and closed before it could answer, or the backend refused to
   * process it: the request may be sent again. `overflow`: it has as many requests as it may. `lost`: the answer broke off or is none.
   */
  readonly kind: "connect" | "unsent" | "overflow" | "lost";
  readonly message: string;
}

/** What comes back of a request; nothing after `cancel`. */
export interface BackendEvents {
  /** `isLast`: there is no body, and `onResponseEnd` follows at once. */
  onResponse(head: AnsweredHead, isLast: boolean): void;
  onResponseData(data: Buffer): void;
  onResponseEnd(trailers: readonly Field[]): void;
  /** The bytes that arrived together were all delivered. */
  onResponseFlush(): void;
  onUpgraded(head: AnsweredHead, tunnel: Tunnel): void;
  /** The request's body may go on. */
  onRequestDrain(): void;
  /** Last. */
  onFailed(failure: BackendFailure): void;
}

/** One request to a backend. */
export interface BackendCall {
  /** False: the backend does not read as fast; `onRequestDrain` follows. */
  write(data: Buffer): boolean;
  end(trailers: readonly Field[]): void;
  /** What was kept back, so that head and beginning of a body are one packet. */
  flush(): void;
  /** Stops reading the answer. */
  pause(): void;
  resume(): void;
  /** Nothing more is wanted. */
  cancel(): void;
  /** Bytes that the backend has not taken. */
  readonly unsentBytes: number;
}
