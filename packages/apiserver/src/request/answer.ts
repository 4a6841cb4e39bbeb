import type { Readable } from "node:stream";
import type { Status, StatusError } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import type { LeafStretch } from "@coxswain/storage/sorted-map";
import type { CacheEntry } from "../cache/cache-entry.js";
import type { EncodedObject } from "../cache/encoded-object.js";
import type { Watcher, WatchSink } from "../cache/watcher.js";

/**
 * What a handler answers, as data. `respond` turns it into bytes in the client's media type; the in-process transport hands the
 * values over as they are.
 */
export type Answer =
  | ObjectAnswer
  | ListAnswer
  | WatchAnswer
  | StatusAnswer
  | DocumentAnswer
  | StreamAnswer
  | UpgradedAnswer;

export interface ObjectAnswer {
  readonly as: "object";
  readonly code: number;
  readonly kind: AnyKind;
  readonly object: EncodedObject;
}

export interface ListAnswer {
  readonly as: "list";
  readonly kind: AnyKind;
  readonly entries: readonly CacheEntry[];
  /** The same entries by the leaves they stand in, where nothing was left out between them. */
  readonly leaves?: readonly LeafStretch<CacheEntry>[];
  readonly resourceVersion: string;
  readonly continueToken?: string;
  readonly remainingItemCount?: number;
}

export interface WatchAnswer {
  readonly as: "watch";
  readonly kind: AnyKind;
  /** Begins delivery; the sink gets events until the watcher stops or is stopped. */
  open(sink: WatchSink): Watcher;
  readonly timeoutMs: number;
  /** The client asked for bookmarks. */
  readonly bookmarks: boolean;
  /** Instead of events the stream carries this error: clients expect an outdated revision to be reported there. */
  readonly refusal: StatusError | undefined;
}

export interface StatusAnswer {
  readonly as: "status";
  readonly status: Status;
  /** Beside those that every answer has. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Discovery, OpenAPI, health, version: bytes that are ready. */
export interface DocumentAnswer {
  readonly as: "document";
  readonly code: number;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly bytes: Uint8Array;
  /** The object that it shows, in JSON, for the audit log; where it shows one. */
  readonly json?: () => string;
}

/** What another server sends, handed on as it comes. */
export interface StreamAnswer {
  readonly as: "stream";
  readonly code: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Destroyed when the client is gone; if it fails, the client sees its answer cut. Undefined: no body. */
  readonly body: Readable | undefined;
}

/** The connection was taken away from HTTP. */
export interface UpgradedAnswer {
  readonly as: "upgraded";
  /** Serves it to its end. Once; never rejects. */
  run(): Promise<void>;
}

export const statusAnswer = (status: Status): StatusAnswer => ({ as: "status", status });

/** What a filter answers that lets a request go no further. */
export const refusalAnswer = ({ status }: StatusError): StatusAnswer => ({
  as: "status",
  status,
  headers: { "x-content-type-options": "nosniff" },
});

/** The HTTP status code of an answer. */
export function codeOf(answer: Answer): number {
  switch (answer.as) {
    case "object":
    case "document":
    case "stream":
      return answer.code;
    case "status":
      return answer.status.code ?? 200;
    case "list":
    case "watch":
      return 200;
    case "upgraded":
      return 101;
  }
}
