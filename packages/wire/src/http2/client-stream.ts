import type { Header } from "./header.js";
import type { ReceiveWindow } from "./receive-window.js";

/** How a stream ended. */
export type StreamEnd =
  /** Both sides have said everything. */
  | { readonly kind: "ended" }
  | { readonly kind: "reset"; readonly code: number }
  /** The server has certainly not looked at it. */
  | { readonly kind: "refused" }
  | { readonly kind: "lost"; readonly error: Error | undefined };

export interface StreamEvents {
  /** Once for the answer's headers, and once more for its trailers, if any. */
  readonly onHeaders: (headers: readonly Header[]) => void;
  readonly onData: (data: Buffer) => void;
  /** Last, and once. */
  readonly onEnd: (end: StreamEnd) => void;
}

/** What a stream needs of its session. */
export interface StreamCarrier {
  /** It has data, or an end, to send. */
  pump(stream: ClientStream): void;
  /** Its reader has taken so much, and the server may send as much more. */
  credit(stream: ClientStream, bytes: number): void;
  reset(stream: ClientStream, code: number): void;
  /** For good: the session forgets it. */
  over(stream: ClientStream): void;
}

/** One request and its answer. */
export class ClientStream {
  /** 0 until the server has room for it. */
  id = 0;
  /** Whether the request's end was sent. */
  sentEnd = false;
  sendWindow = 0;
  readonly receiveWindow: ReceiveWindow;
  readonly headerBlock: Buffer;
  readonly #carrier: StreamCarrier;
  readonly #events: StreamEvents;
  #outgoing: Buffer[] = [];
  #ending = false;
  #incoming: Buffer[] = [];
  #paused = false;
  #end: StreamEnd | undefined;
  #finished = false;
  #onDrain: (() => void)[] = [];

  constructor(
    headerBlock: Buffer,
    { carrier, receiveWindow, events }: { carrier: StreamCarrier; receiveWindow: ReceiveWindow; events: StreamEvents },
  ) {
    this.headerBlock = headerBlock;
    this.receiveWindow = receiveWindow;
    this.#carrier = carrier;
    this.#events = events;
  }

  /** False when the caller should wait for `drained` before it writes more. */
  write(data: Buffer): boolean {
    if (this.#end || this.#ending) return true;
    this.#outgoing.push(data);
    this.#carrier.pump(this);
    return this.#outgoing.length === 0;
  }

  end(data?: Buffer): void {
    if (this.#end || this.#ending) return;
    if (data) this.#outgoing.push(data);
    this.#ending = true;
    this.#carrier.pump(this);
  }

  /** Resolves when everything written is on its way, or never will be. */
  drained(): Promise<void> {
    return this.#outgoing.length === 0 || this.#end
      ? Promise.resolve()
      : new Promise((resolve) => this.#onDrain.push(resolve));
  }

  /** Ends it from this side; nothing more is heard but the end. */
  reset(code: number): void {
    if (this.#end) return;
    this.#carrier.reset(this, code);
    this.#incoming = [];
    this.#paused = false;
    this.finish({ kind: "reset", code });
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    while (!this.#paused && this.#incoming.length > 0) this.#deliver(this.#incoming.shift()!);
    if (!this.#paused && this.#end) this.#finish();
  }

  /** For the session: up to `most` bytes of what is to be sent, and whether that is the end. Undefined: nothing to send. */
  take(most: number): { data: Buffer; end: boolean } | undefined {
    const first = this.#outgoing[0];
    if (!first) return this.#ending && !this.sentEnd ? { data: Buffer.alloc(0), end: true } : undefined;
    if (most <= 0) return undefined;
    if (first.length > most) {
      this.#outgoing[0] = first.subarray(most);
      return { data: first.subarray(0, most), end: false };
    }
    this.#outgoing.shift();
    if (this.#outgoing.length === 0) for (const resolve of this.#onDrain.splice(0)) resolve();
    return { data: first, end: this.#ending && this.#outgoing.length === 0 };
  }

  /** For the session: whether something waits to be sent. */
  get pending(): boolean {
    return this.#outgoing.length > 0 || (this.#ending && !this.sentEnd);
  }

  /** For the session. */
  receiveHeaders(headers: readonly Header[]): void {
    if (!this.#end) this.#events.onHeaders(headers);
  }

  /** For the session. */
  receiveData(data: Buffer): void {
    if (this.#end || data.length === 0) return;
    if (this.#paused) this.#incoming.push(data);
    else this.#deliver(data);
  }

  /** For the session: nothing more comes. What a reader that pauses has not taken yet comes first. */
  finish(end: StreamEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.#outgoing = [];
    this.#carrier.over(this);
    for (const resolve of this.#onDrain.splice(0)) resolve();
    if (this.#incoming.length === 0) this.#finish();
  }

  #deliver(data: Buffer): void {
    this.#carrier.credit(this, data.length);
    this.#events.onData(data);
  }

  #finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#events.onEnd(this.#end!);
  }
}
