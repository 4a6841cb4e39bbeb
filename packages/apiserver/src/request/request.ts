import type { Duplex, Readable } from "node:stream";
import type { Soon } from "@coxswain/runtime/soon";
import type { Certificate } from "@coxswain/wire/x509";
import type { UserInfo } from "./user-info.js";

/** A request as the server sees it, wherever it came from: an HTTP/2 stream, an HTTP/1.1 message, or the same process. */
export interface ApiRequest {
  readonly method: string;
  /** As sent, without the query, not decoded. */
  readonly path: string;
  /** Without the question mark; "" when there is none. */
  readonly query: string;
  /** Lower-case name; several lines of one name joined by ", ". */
  header(name: string): string | undefined;
  /** All of them, in lower case; one may come several times. */
  headerNames(): Iterable<string>;
  readonly body: RequestBody;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  /** Calls back when the client is gone, at once if it is. Costs far less than the signal. @returns how not to be called */
  whenGone(then: () => void): () => void;
  readonly caller: Caller;
  /** Called once the user is authenticated: connections of one user share a flow of the scheduler. */
  identified?(user: string): void;
  /** The connection behind it, for what is handed on as it comes. Undefined for requests of the same process. */
  readonly wire?: Wire;
}

/** What a proxy needs of a request beyond its meaning. */
export interface Wire {
  readonly protocol: "HTTP/2.0" | "HTTP/1.1";
  /** Graceful close: GOAWAY (HTTP/2) or `Connection: close`; requests in flight are completed. */
  closeConnection(): void;
  /** As sent, in their order; a name may come several times. */
  headerLines(): readonly (readonly [name: string, value: string])[];
  readonly hasBody: boolean;
  /** The body as it comes, instead of `body.read`. Once. */
  openBody(): Readable;
  /** Takes the connection away from HTTP: only where the client asked for another protocol, once, and before anything is answered. */
  readonly upgrade?: () => Taken;
}

/** A connection that has left HTTP behind. */
export interface Taken {
  readonly socket: Duplex;
  /** What the client sent right behind its request. */
  readonly head: Uint8Array;
}

export type RequestBody =
  /** Reads the whole body; rejects with 413 as soon as it is longer than `limit`. One that has come already is there at once. */
  | { readonly as: "bytes"; read(limit: number, room: BodyRoom): Soon<Uint8Array> }
  /** From the same process: a value that the server copies before it changes anything. */
  | { readonly as: "value"; readonly value: unknown };

/** What a body may hold while it arrives. Its length may be known at its end only, and its client may be slow. */
export interface BodyRoom {
  /** So many bytes are held without asking. */
  readonly freeBytes: number;
  /** Called once, when more than `freeBytes` have come: the rest waits at the client until it resolves. A rejection is that of `read`. */
  more(): Soon<void>;
}

/** For bodies whose limit is small. */
export const roomForAll: BodyRoom = { freeBytes: Number.POSITIVE_INFINITY, more() {} };

/** Who is at the other end. */
export type Caller =
  /** A connection: what TLS knows. No listener of a network can set a user. */
  | { readonly via: "socket"; readonly remoteAddress: string; readonly certificate: ClientCertificate | undefined }
  /** This process, or a part of the cluster behind the Unix socket that its parent made for it. */
  | { readonly via: "process"; readonly user: UserInfo };

/** A client certificate as it was presented; whether it counts is decided by authentication. */
export interface ClientCertificate {
  /** TLS has followed its chain to an authority that the listener trusts, and found nothing wrong. */
  readonly isTrusted: boolean;
  /** Why it is not trusted, for the log. */
  readonly problem: string;
  /** Undefined: it cannot be read. */
  readonly leaf: Certificate | undefined;
  /** SHA-256, hexadecimal. */
  readonly fingerprint: string;
  /** What was sent with it, or found on the way to an authority. */
  readonly chain: readonly Certificate[];
}
