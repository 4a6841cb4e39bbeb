import { ByteCollector } from "../bytes/index.js";
import { type Header, headerValue } from "./header.js";
import { errorCode, Http2Error } from "./http2-error.js";
import type { ReceiveWindow } from "./receive-window.js";

/** Receives the body of a request. */
export interface BodyReader {
  /** The reader owns the bytes, and calls `credit` when it can take as many more. */
  onData(data: Buffer): void;
  /** Last: END_STREAM was received. */
  onEnd(trailers: readonly Header[]): void;
  /** Last: the rest will never come; `why` if END_STREAM came before the declared Content-Length. */
  onAborted(why?: string): void;
}

/** Names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

/** What a stream needs of its session. */
export interface ServerStreamSession {
  /** Without a status they are trailers. */
  sendHeaders(stream: ServerStream, status: number | undefined, headers: ResponseHeaders, end: boolean): void;
  /** The stream has data, or END_STREAM, to send. */
  pump(stream: ServerStream): void;
  /** So many bytes of the body were consumed. */
  credit(stream: ServerStream, bytes: number): void;
  sendReset(stream: ServerStream, code: number): void;
  /** The response is complete, and the client still sends: RST_STREAM with NO_ERROR follows (RFC 9113, section 8.1). */
  resetLater(stream: ServerStream): void;
  /** The stream is closed: the session removes it. */
  streamClosed(stream: ServerStream): void;
}

const noTrailers: readonly Header[] = [];

/** One request and its response, on the server. */
export class ServerStream {
  readonly id: number;
  readonly headers: readonly Header[];
  /** HEADERS came without END_STREAM. */
  readonly hasBody: boolean;
  /** For the session. */
  sendWindow: number;
  /** For the session. */
  readonly receiveWindow: ReceiveWindow;
  /** END_STREAM was received. */
  hasReceivedEnd: boolean;
  /** Complete, reset, or the connection is gone. */
  isClosed = false;
  hasSentHeaders = false;
  readonly #session: ServerStreamSession;
  #contentLength: number | undefined;
  #received = 0;
  #lengthError: string | undefined;
  #receivedTrailers: readonly Header[] = noTrailers;
  #incoming: ByteCollector | undefined;
  #reader: BodyReader | undefined;
  #isBodyIgnored = false;
  #outgoing: Uint8Array[] | undefined;
  #isEnding = false;
  #trailers: ResponseHeaders | undefined;
  #hasSentEnd = false;
  #onDrain: (() => void)[] | undefined;
  #onOver: (() => void)[] | undefined;

  constructor(
    carrier: ServerStreamSession,
    init: {
      id: number;
      headers: readonly Header[];
      hasBody: boolean;
      sendWindow: number;
      receiveWindow: ReceiveWindow;
    },
  ) {
    this.#session = carrier;
    this.id = init.id;
    this.headers = init.headers;
    this.hasBody = init.hasBody;
    this.hasReceivedEnd = !init.hasBody;
    this.sendWindow = init.sendWindow;
    this.receiveWindow = init.receiveWindow;
    const length = init.hasBody ? headerValue(init.headers, "content-length") : undefined;
    if (length !== undefined) this.#contentLength = /^\d{1,15}$/.test(length) ? Number(length) : 0;
  }

  /** Calls back when the stream is closed; at once if it is. */
  onceClosed(then: () => void): void {
    if (this.isClosed) then();
    else (this.#onOver ??= []).push(then);
  }

  /** Once: delivers the body so far, and the rest as it arrives. A body that is not read is buffered up to its flow-control window. */
  read(reader: BodyReader): void {
    if (this.hasBody && !this.hasSentHeaders && headerValue(this.headers, "expect")?.toLowerCase() === "100-continue")
      this.#session.sendHeaders(this, 100, {}, false);
    this.#reader = reader;
    const waiting = this.#incoming;
    this.#incoming = undefined;
    if (waiting) reader.onData(waiting.take());
    if (this.#reader !== reader) return;
    if (this.#lengthError !== undefined || (this.isClosed && !this.hasReceivedEnd)) reader.onAborted(this.#lengthError);
    else if (this.hasReceivedEnd) reader.onEnd(this.#receivedTrailers);
  }

  /** The rest of the body is discarded. */
  ignoreBody(): void {
    this.#reader = undefined;
    this.#incoming = undefined;
    this.#isBodyIgnored = true;
  }

  /** The reader consumed so many bytes: the client may send as many more. */
  credit(bytes: number): void {
    this.#session.credit(this, bytes);
  }

  /** Sends the response headers; with `end` that is all of it. */
  respond(status: number, headers: ResponseHeaders, end: boolean): void {
    if (this.isClosed) return;
    this.hasSentHeaders = true;
    this.#isEnding = end;
    this.#hasSentEnd = end;
    this.#session.sendHeaders(this, status, headers, end);
    if (end) this.#finish();
  }

  /** False: not all of it was sent; wait for `onceDrained` before writing more, and do not change the bytes until then. */
  write(data: Uint8Array): boolean {
    if (this.isClosed || this.#isEnding || data.length === 0) return true;
    this.#add(data);
    this.#session.pump(this);
    return this.#outgoing === undefined;
  }

  end(data?: Uint8Array, trailers?: ResponseHeaders): void {
    if (this.isClosed || this.#isEnding) return;
    if (data && data.length > 0) this.#add(data);
    this.#trailers = trailers;
    this.#isEnding = true;
    this.#session.pump(this);
  }

  /** Most responses are one chunk: an array that grows would reserve room for many. */
  #add(data: Uint8Array): void {
    if (this.#outgoing) this.#outgoing.push(data);
    else this.#outgoing = [data];
  }

  /** Everything written was sent, or never will be. */
  get isDrained(): boolean {
    return this.#outgoing === undefined || this.isClosed;
  }

  /** Of what was written: 0 once it is drained. */
  get unsentBytes(): number {
    let bytes = 0;
    if (this.#outgoing && !this.isClosed) for (const data of this.#outgoing) bytes += data.length;
    return bytes;
  }

  /** Calls back when everything written was sent, or never will be. */
  onceDrained(then: () => void): void {
    if (this.isDrained) then();
    else (this.#onDrain ??= []).push(then);
  }

  /** Sends RST_STREAM: the client sees that the response is incomplete. */
  reset(code: number): void {
    if (this.isClosed) return;
    this.#session.sendReset(this, code);
    this.abort();
  }

  /** For the session: the next bytes to send. */
  get next(): Uint8Array | undefined {
    return this.#outgoing?.[0];
  }

  /** For the session: to be sent behind the data, with END_STREAM. */
  get trailers(): ResponseHeaders | undefined {
    return this.#trailers;
  }

  /** For the session: what ends the stream is to be sent, trailers or an empty DATA frame with END_STREAM. */
  get mustSendEnd(): boolean {
    return this.#isEnding && !this.#hasSentEnd && this.#outgoing === undefined;
  }

  /** For the session: so many bytes of `next` are being sent. @returns whether END_STREAM goes with them */
  sent(bytes: number): boolean {
    const outgoing = this.#outgoing;
    if (outgoing) {
      if (bytes < outgoing[0]!.length) outgoing[0] = outgoing[0]!.subarray(bytes);
      else if (outgoing.length > 1) outgoing.shift();
      else this.#outgoing = undefined;
    }
    if (this.#outgoing) return false;
    return (this.#hasSentEnd = this.#isEnding && this.#trailers === undefined);
  }

  /** For the session: the trailers are being sent. */
  sentTrailers(): void {
    this.#hasSentEnd = true;
  }

  /** For the session: after `sent`, when the frame is in the write buffer. */
  afterSent(): void {
    if (this.#outgoing) return;
    if (this.#hasSentEnd) return this.#finish();
    this.#notifyDrained();
  }

  /** For the session. @throws Http2Error of this stream */
  receive(data: Buffer): void {
    this.#received += data.length;
    if (this.#contentLength !== undefined && this.#received > this.#contentLength)
      throw new Http2Error(errorCode.protocolError, "the body exceeds its Content-Length", this.id);
    if (data.length === 0) return;
    if (this.#isBodyIgnored) this.credit(data.length);
    else if (this.#reader) this.#reader.onData(data);
    else (this.#incoming ??= new ByteCollector()).add(data);
  }

  /** For the session: END_STREAM was received. */
  receiveEnd(trailers: readonly Header[]): void {
    this.hasReceivedEnd = true;
    this.#receivedTrailers = trailers;
    if (this.#contentLength !== undefined && this.#received < this.#contentLength)
      this.#lengthError = `request declared a Content-Length of ${this.#contentLength} but only wrote ${this.#received} bytes`;
    if (this.#lengthError === undefined) this.#reader?.onEnd(trailers);
    else this.#reader?.onAborted(this.#lengthError);
  }

  /** For the session: the client reset the stream, or the connection is gone. */
  abort(): void {
    if (this.isClosed) return;
    this.#close();
    if (!this.hasReceivedEnd) this.#reader?.onAborted();
  }

  /** The response is complete. */
  #finish(): void {
    if (!this.hasReceivedEnd) this.#session.resetLater(this);
    this.abort();
  }

  #close(): void {
    this.isClosed = true;
    this.#outgoing = undefined;
    this.#incoming = undefined;
    this.#session.streamClosed(this);
    this.#notifyDrained();
    const onOver = this.#onOver;
    this.#onOver = undefined;
    if (onOver) for (const then of onOver) then();
  }

  #notifyDrained(): void {
    const onRoom = this.#onDrain;
    this.#onDrain = undefined;
    if (onRoom) for (const then of onRoom) then();
  }
}
