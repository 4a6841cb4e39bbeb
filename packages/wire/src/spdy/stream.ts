import { Duplex } from "node:stream";
import { UnreadBytes } from "../bytes/index.js";
import type { SpdyHeaders } from "./header-block.js";
import { type ResetReason, SpdyError } from "./spdy-error.js";

/** What a stream needs of its connection. */
export interface StreamCarrier {
  /** Calls `done` when more may be sent. */
  send(stream: number, data: Uint8Array, fin: boolean, done: () => void): void;
  reset(stream: number, reason: ResetReason): void;
  /** The stream has room again. */
  relieved(): void;
  /** Both halves are over. */
  finished(stream: number): void;
}

/** Backpressure: so many bytes of a stream wait for its reader before the connection is not read from any more. */
const maxUnreadBytes = 64 * 1024;
/** Larger writes go in several frames, so that streams share the connection. */
const frameBytes = 32 * 1024;

/** One of the streams of a connection. Each half ends by itself. */
export class SpdyStream extends Duplex {
  readonly id: number;
  /** With which it was opened. */
  readonly headers: SpdyHeaders;
  readonly #carrier: StreamCarrier;
  readonly #unread = new UnreadBytes((bytes) => this.push(bytes));
  #received = false;
  #sent = false;

  constructor(id: number, headers: SpdyHeaders, carrier: StreamCarrier) {
    super({ allowHalfOpen: true, emitClose: true, readableHighWaterMark: UnreadBytes.highWaterMark });
    this.id = id;
    this.headers = headers;
    this.#carrier = carrier;
    // A reset that nobody listens for, such as one right behind the stream's opening, must not end the process.
    this.on("error", () => undefined);
  }

  /** It has received more than its reader wants for now. */
  get full(): boolean {
    return this.#unread.length >= maxUnreadBytes && !this.#received;
  }

  /** Closes both halves with RST_STREAM. */
  reset(reason: ResetReason = "cancel"): void {
    if (this.destroyed) return;
    this.#carrier.reset(this.id, reason);
    this.#over();
    this.destroy();
  }

  /** From the connection. */
  receive(data: Buffer, fin: boolean): void {
    if (this.#received || this.destroyed) return;
    this.#unread.add(data);
    if (fin) this.receiveEnd();
  }

  /** From the connection. */
  receiveEnd(): void {
    if (this.#received || this.destroyed) return;
    this.#received = true;
    this.#unread.end();
    // Nothing more comes, so nothing needs to be held back on its account.
    this.#carrier.relieved();
    this.#mayFinish();
  }

  /**
   * From the connection. What came before it can still be read: Go's servers (moby/spdystream) reset a stream right behind its last
   * bytes, and on the error stream of a command these are its exit code.
   */
  receiveReset(reason: ResetReason): void {
    if (this.destroyed) return;
    if (this.#unread.length > 0 || this.readableLength > 0) {
      this.once("end", () => this.destroy());
      this.receiveEnd();
      this.#over();
      return;
    }
    const hasEnded = this.#received;
    this.#over();
    if (hasEnded) this.destroy();
    else this.destroy(new SpdyError(reason, `the other side reset the stream: ${reason}`));
  }

  /** From the connection: it is gone. What was received can still be read. */
  disconnect(): void {
    this.#sent = true;
    if (!this.#received && !this.destroyed) {
      this.#received = true;
      this.#unread.end();
    }
    this.#carrier.finished(this.id);
  }

  override _read(): void {
    const wasFull = this.full;
    this.#unread.ask();
    if (wasFull) this.#carrier.relieved();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error) => void): void {
    if (this.#sent) return done();
    const sendFrom = (offset: number): void => {
      if (offset >= chunk.length) return done();
      this.#carrier.send(this.id, chunk.subarray(offset, offset + frameBytes), false, () =>
        sendFrom(offset + frameBytes),
      );
    };
    sendFrom(0);
  }

  override _final(done: () => void): void {
    if (this.#sent) return done();
    this.#carrier.send(this.id, Buffer.alloc(0), true, done);
    this.#sent = true;
    this.#mayFinish();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    // Destroyed by its user before it was over: the other side should not go on.
    if (!this.#received || !this.#sent) {
      this.#carrier.reset(this.id, error ? "internal-error" : "cancel");
      this.#over();
    }
    done(error);
  }

  #over(): void {
    this.#received = true;
    this.#sent = true;
    this.#carrier.finished(this.id);
    this.#carrier.relieved();
  }

  #mayFinish(): void {
    if (this.#received && this.#sent) this.#carrier.finished(this.id);
  }
}
