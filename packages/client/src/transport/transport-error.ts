/** The bundle and a package may both be loaded, so the mark is a registered symbol and never `instanceof`. */
const mark = Symbol.for("coxswain.TransportError");

export type TransportErrorKind =
  /** No connection came about; the request was certainly not sent. */
  | "connect"
  /** The connection went away, or the server reset the stream, before the answer was complete. */
  | "lost"
  /** `timeoutMs` passed. */
  | "timeout"
  /** Something answered that is not what the API speaks: broken JSON, a broken watch frame. */
  | "malformed";

/** There was no answer, or none that can be read. A refusal by the server is a StatusError instead. */
export class TransportError extends Error {
  readonly kind: TransportErrorKind;
  /** The server has certainly not acted on the request: sending it again is safe, whatever the method. */
  readonly neverSent: boolean;
  readonly [mark] = true;

  constructor(kind: TransportErrorKind, message: string, options: { neverSent?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "TransportError";
    this.kind = kind;
    this.neverSent = options.neverSent ?? kind === "connect";
  }
}

export const isTransportError = (error: unknown): error is TransportError =>
  typeof error === "object" && error !== null && mark in error;
