/** A request on its way to a connection: header names in lower case, one line for each value. */
export interface OutgoingRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
}

/** The head of an answer, and its body to come. */
export interface Exchange {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: IncomingBody;
}

/** Bytes that are pushed. Nothing is read from the connection before `listen`. */
export interface IncomingBody {
  /** Once. */
  listen(reader: BodyReader): void;
  pause(): void;
  resume(): void;
  /** Ends the exchange; the reader receives nothing more. */
  cancel(): void;
}

export interface BodyReader {
  data(chunk: Uint8Array): void;
  end(): void;
  /** A TransportError: the body is incomplete. */
  fail(error: Error): void;
}

/** A way to have requests answered: a connection of HTTP/2, or a pool of HTTP/1.1. */
export interface Exchanger {
  /** Rejects with a TransportError, or with the signal's reason. After the head `signal` ends the body. */
  exchange(request: OutgoingRequest, signal: AbortSignal | undefined): Promise<Exchange>;
}
