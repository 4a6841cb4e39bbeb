import type { Field } from "@coxswain/wire/http1";
import type { Tunnel } from "./tunnel.js";

/** A request as it arrived, by whatever protocol. */
export interface ArrivedRequest {
  readonly method: string;
  readonly scheme: "http" | "https";
  /** Of HTTP/2's `:authority`, of the target, or of the Host line. */
  readonly authority: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** Neither pseudo-header fields nor Host are left out; names in any case. */
  readonly fields: readonly Field[];
  readonly hasBody: boolean;
  /** Its declared length; undefined: unknown until its end. */
  readonly bodyBytes: number | undefined;
  /** The protocol that it asks to change to, such as `websocket`; undefined: none. */
  readonly upgrade: string | undefined;
  readonly protocol: "HTTP/1.0" | "HTTP/1.1" | "HTTP/2";
  readonly clientAddress: string;
}

/** Receives the body of a request. */
export interface RequestBodyReader {
  onBody(data: Buffer): void;
  /** Last. */
  onBodyEnd(trailers: readonly Field[]): void;
  /** Last: the rest will never come. */
  onBodyAborted(): void;
}

export interface AnsweredHead {
  readonly status: number;
  /** Without those of a connection. */
  readonly fields: readonly Field[];
}

/** One request of a client, and the way back. */
export interface ClientCall {
  readonly request: ArrivedRequest;
  /** The answer is complete, was broken off, or the client has left. */
  readonly isClosed: boolean;
  /** Once: the body is delivered from now on. It is not read from the client before. */
  readBody(reader: RequestBodyReader): void;
  pauseBody(): void;
  resumeBody(): void;
  /** Once; `isLast`: there is no body. Kept back until `write`, `end` or `flush`, so that head and body are one packet. */
  respond(head: AnsweredHead, isLast: boolean): void;
  /** False: the client does not read as fast; `onDrain` follows. */
  write(data: Buffer): boolean;
  end(trailers: readonly Field[]): void;
  flush(): void;
  /** Breaks the answer off, so that the client sees it is not complete. */
  abort(): void;
  /** Answers 101 and hands over the connection. Undefined where the protocol has no upgrades. */
  upgrade(head: AnsweredHead): Tunnel | undefined;
  /** Bytes of the answer that the client has not taken. */
  readonly unsentBytes: number;
  /** Set by what answers the request. */
  onDrain: () => void;
  /** Called once when the client has left before its answer was complete. */
  onGone: () => void;
}
