import type { Socket } from "node:net";
import { frameHeaderBytes, writeFrameHeader } from "./frame.js";

const bufferBytes = 65_536;
/**
 * Backpressure by bytes written to the socket that the kernel has not taken. Above the high-water mark DATA waits in its streams (internal
 * data buffering, CVE-2019-9517). Above the limit the connection is not read from: a client that does not read causes no more PING and
 * SETTINGS acknowledgements or RST_STREAM frames (CVE-2019-9512, CVE-2019-9515, CVE-2019-9514).
 */
const highWaterBytes = 512 * 1024;
const limitBytes = 2 * 1024 * 1024;

/** Buffers that are not in use, shared by all connections. */
const pool: Buffer[] = [];
const poolSize = 32;

/**
 * The output of a connection. Frames are copied into pooled buffers, and those of one iteration of the event loop are one write: a
 * write costs a system call and a TLS record, whatever its length.
 */
export class WriteBuffer {
  readonly #socket: Socket;
  readonly #onDrain: () => void;
  #buffer: Buffer | undefined;
  #length = 0;
  #inSocket = 0;
  #isScheduled = false;
  #isCorked = false;

  /** @param onDrain it was full and no longer is */
  constructor(socket: Socket, onDrain: () => void) {
    this.#socket = socket;
    this.#onDrain = onDrain;
  }

  /** DATA frames should wait. Others are short and need not. */
  get isFull(): boolean {
    return this.#inSocket + this.#length >= highWaterBytes;
  }

  /** The client does not read its responses. */
  get isOverLimit(): boolean {
    return this.#inSocket + this.#length >= limitBytes;
  }

  /** Copies `length` bytes of the payload from `start` on, at most the default SETTINGS_MAX_FRAME_SIZE. */
  frame(type: number, flags: number, stream: number, payload: Uint8Array, start = 0, length = payload.length): void {
    const buffer = this.#reserve(frameHeaderBytes + length);
    writeFrameHeader(buffer, this.#length, { type, flags, stream, length });
    buffer.set(
      length === payload.length ? payload : payload.subarray(start, start + length),
      this.#length + frameHeaderBytes,
    );
    this.#length += frameHeaderBytes + length;
  }

  /** A frame with its header. */
  put(bytes: Buffer): void {
    this.#reserve(bytes.length).set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Frames until `uncork` are one write. */
  cork(): void {
    this.#isCorked = true;
  }

  uncork(flush: "now" | "in the next iteration"): void {
    this.#isCorked = false;
    if (flush === "now") this.flush();
    else if (this.#length > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.flush();
    });
  }

  flush(): void {
    const buffer = this.#buffer;
    if (!buffer || this.#length === 0) return;
    const length = this.#length;
    this.#buffer = undefined;
    this.#length = 0;
    if (!this.#socket.writable) return recycle(buffer);
    this.#inSocket += length;
    this.#socket.write(buffer.subarray(0, length), () => {
      recycle(buffer);
      const wasFull = this.isFull;
      this.#inSocket -= length;
      if (wasFull && !this.isFull) this.#onDrain();
    });
  }

  #reserve(bytes: number): Buffer {
    if (this.#length + bytes > bufferBytes) this.flush();
    if (!this.#isCorked) this.#schedule();
    return (this.#buffer ??= pool.pop() ?? Buffer.allocUnsafeSlow(bufferBytes));
  }
}

function recycle(buffer: Buffer): void {
  if (pool.length < poolSize) pool.push(buffer);
}
