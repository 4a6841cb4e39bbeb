import type { Soon } from "@coxswain/runtime/soon";
import type { ApiRequest } from "./request.js";

/**
 * So much of an answer may wait for its client when its request is over. What is longer keeps the request under way for as long as its
 * client reads, and counts among the unread answers, whose memory is limited.
 */
export const maxUnreadBytes = 64 * 1024;

/** Where an answer's bytes go. */
export interface ResponseSink {
  /** Once, before anything else. The headers are the sink's from now on. */
  head(code: number, headers: Record<string, string | string[]>): void;
  /** The whole of an answer that has no body. */
  only(code: number, headers: Record<string, string | string[]>): void;
  /** False: full; wait for `drained` before writing more. */
  write(chunk: Uint8Array): boolean;
  /** Resolves when there is room again; rejects when the client is gone. */
  drained(): Promise<void>;
  /** Writes, and resolves once the bytes are handed on, so that the array may be used again; rejects when the client is gone. */
  send(chunk: Uint8Array): Promise<void>;
  end(chunk?: Uint8Array): void;
  /** After `end`: over when the client has taken all but what one answer may leave in buffers, or is gone. */
  flushed(): Soon<void>;
  /** Ends the response so that the client sees it was cut. */
  abort(): void;
  readonly headersSent: boolean;
  /** Bytes that were written and that the client (its window, its connection) has not taken; 0: it does not keep us waiting. */
  readonly unreadBytes: number;
  /** Nothing that was written is still held: its arrays may be used again. */
  readonly isEmpty: boolean;
  /** Of the head; 0 before it is sent. */
  readonly code: number;
  /** Of the body, so far. */
  readonly bytes: number;
}

/** Takes a request, and writes its answer into the sink. */
export type RequestSink = (request: ApiRequest, sink: ResponseSink) => void;
