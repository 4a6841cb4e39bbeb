import { ByteCollector } from "../../bytes/index.js";
import type { Header } from "../header.js";
import type { ReceiveWindow } from "../receive-window.js";

/** How a stream ended. */
export type StreamEnd =
  /** The response is complete. */
  | { readonly kind: "ended" }
  | { readonly kind: "reset"; readonly code: number }
  /** The server has not processed it: it may be retried. */
  | { readonly kind: "refused" }
  | { readonly kind: "lost"; readonly error: Error | undefined };

export interface StreamEvents {
  /** Once for the response headers, before them for informational ones, and once more for trailers, if any. `isEnd`: END_STREAM is set. */
  readonly onHeaders: (headers: readonly Header[], isEnd: boolean) => void;
  readonly onData: (data: Buffer) => void;
  /** Last, and once. */
  readonly onEnd: (end: StreamEnd) => void;
}

/** What a stream needs of its session. */
export interface ClientStreamSession {
  /** The stream has data, or END_STREAM, to send. */
  pump(stream: ClientStream): void;
  /** So many bytes were consumed: the server may send as many more. */
  credit(stream: ClientStream, bytes: number): void;
  reset(stream: ClientStream, code: number): void;
  /** The stream is closed: the session removes it. */
  streamClosed(stream: ClientStream): void;
}

const noData = Buffer.alloc(0);

/** One request and its response, on the client. */
export class ClientStream {
  /** 0 until the server's SETTINGS_MAX_CONCURRENT_STREAMS allows it. */
  id = 0;
  /** END_STREAM was sent. */
  sentEnd = false;
  sendWindow = 0;
  readonly receiveWindow: ReceiveWindow;
  readonly headerBlock: Buffer;
  readonly #session: ClientStreamSession;
  readonly #events: StreamEvents;
  #outgoing: Buffer[] = [];
  #ending = false;
  #trailers: Buffer | undefined;
  readonly #incoming = new ByteCollector();
  #paused = false;
  #end: StreamEnd | undefined;
  #finished = false;
  #onDrain: (() => void)[] = [];

  constructor(
    headerBlock: Buffer,
    {
      carrier,
      receiveWindow,
      events,
    }: { carrier: ClientStreamSession; receiveWindow: ReceiveWindow; events: StreamEvents },
  ) {
    this.headerBlock = headerBlock;
    this.receiveWindow = receiveWindow;
    this.#session = carrier;
    this.#events = events;
  }

  /** False when the caller should wait for `drained` before it writes more. */
  write(data: Buffer): boolean {
    if (this.#end || this.#ending) return true;
    this.#outgoing.push(data);
    this.#session.pump(this);
    return this.#outgoing.length === 0;
  }

  /** @param trailers a header block */
  end(data?: Buffer, trailers?: Buffer): void {
    if (this.#end || this.#ending) return;
    if (data) this.#outgoing.push(data);
    this.#trailers = trailers;
    this.#ending = true;
    this.#session.pump(this);
  }

  /** Resolves when everything written was sent, or never will be. */
  drained(): Promise<void> {
    return this.#outgoing.length === 0 || this.#end
      ? Promise.resolve()
      : new Promise((resolve) => this.#onDrain.push(resolve));
  }

  /** Sends RST_STREAM; no event but `onEnd` follows. */
  reset(code: number): void {
    if (this.#end) return;
    this.#session.reset(this, code);
    this.#incoming.clear();
    this.#paused = false;
    this.finish({ kind: "reset", code });
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    if (this.#incoming.length > 0) this.#deliver(this.#incoming.take());
    if (!this.#paused && this.#end) this.#finish();
  }

  /** For the session: up to `limit` bytes to send, and whether END_STREAM goes with them. Undefined: nothing to send. */
  take(limit: number): { data: Buffer; end: boolean } | undefined {
    const first = this.#outgoing[0];
    if (!first) return this.#ending && !this.sentEnd ? { data: noData, end: true } : undefined;
    if (limit <= 0) return undefined;
    if (first.length > limit) {
      this.#outgoing[0] = first.subarray(limit);
      return { data: first.subarray(0, limit), end: false };
    }
    this.#outgoing.shift();
    if (this.#outgoing.length === 0) for (const resolve of this.#onDrain.splice(0)) resolve();
    return { data: first, end: this.#ending && this.#outgoing.length === 0 && !this.#trailers };
  }

  /** For the session: sent in the place of an empty DATA frame that ends the stream. */
  get trailers(): Buffer | undefined {
    return this.#trailers;
  }

  /** Written and not sent. */
  get unsentBytes(): number {
    return this.#outgoing.reduce((sum, { length }) => sum + length, 0);
  }

  /** Received and not delivered. */
  get heldBytes(): number {
    return this.#incoming.length;
  }

  /** For the session: there is something to send. */
  get pending(): boolean {
    return this.#outgoing.length > 0 || (this.#ending && !this.sentEnd);
  }

  /** For the session. */
  receiveHeaders(headers: readonly Header[], isEnd: boolean): void {
    if (!this.#end) this.#events.onHeaders(headers, isEnd);
  }

  /** For the session. */
  receiveData(data: Buffer): void {
    if (this.#end || data.length === 0) return;
    if (this.#paused) this.#incoming.add(data);
    else this.#deliver(data);
  }

  /** For the session: nothing more will be received. A paused reader gets what is buffered before `onEnd`. */
  finish(end: StreamEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.#outgoing = [];
    this.#session.streamClosed(this);
    for (const resolve of this.#onDrain.splice(0)) resolve();
    if (this.#incoming.length === 0) this.#finish();
  }

  #deliver(data: Buffer): void {
    this.#session.credit(this, data.length);
    this.#events.onData(data);
  }

  #finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#events.onEnd(this.#end!);
  }
}
