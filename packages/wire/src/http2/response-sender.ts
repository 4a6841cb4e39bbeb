import { defaultFrameBytes, defaultWindow, flag, frameType, maxWindow } from "./frame.js";
import { HeaderCompressor } from "./header-compressor.js";
import { errorCode, Http2Error } from "./http2-error.js";
import { PeerSettings } from "./peer-settings.js";
import type { ResponseHeaders, ServerStream } from "./server-stream.js";
import type { WriteBuffer } from "./write-buffer.js";

/** A blocked stream sends so much before the next one does. */
const quantumBytes = 64 * 1024;
const empty = new Uint8Array(0);

/** Sends the responses of a connection, within the client's flow-control windows (RFC 9113, section 5.2) and the write buffer's high-water mark. */
export class ResponseSender {
  readonly #out: WriteBuffer;
  readonly #compressor = new HeaderCompressor();
  readonly #peer = new PeerSettings();
  /** Streams with data to send that wait for a window or for the write buffer. */
  readonly #blocked = new Set<ServerStream>();
  #window = defaultWindow;

  constructor(out: WriteBuffer) {
    this.#out = out;
  }

  /** Send window of a new stream. */
  get initialWindow(): number {
    return this.#peer.initialWindow;
  }

  /** Applies a SETTINGS frame of the client. @throws Http2Error */
  applySettings(payload: Buffer, streams: readonly ServerStream[]): void {
    const before = this.#peer.initialWindow;
    this.#peer.apply(payload);
    this.#compressor.limitTable(this.#peer.headerTableSize);
    // Applies to open streams too, whose windows may become negative (RFC 9113, section 6.9.2).
    for (const stream of streams) {
      stream.sendWindow += this.#peer.initialWindow - before;
      if (stream.sendWindow > maxWindow)
        throw new Http2Error(errorCode.flowControlError, "a flow-control window exceeds 2^31-1");
    }
  }

  /** Without a status they are trailers. */
  sendHeaders(stream: ServerStream, status: number | undefined, headers: ResponseHeaders, end: boolean): void {
    const block = this.#compressor.encode(status, headers);
    for (let offset = 0; offset === 0 || offset < block.length; offset += defaultFrameBytes) {
      const length = Math.min(defaultFrameBytes, block.length - offset);
      const flags =
        (offset + length >= block.length ? flag.endHeaders : 0) | (end && offset === 0 ? flag.endStream : 0);
      this.#out.frame(
        offset === 0 ? frameType.headers : frameType.continuation,
        flags,
        stream.id,
        block,
        offset,
        length,
      );
    }
  }

  /** Sends up to `limit` bytes of the stream's data. @returns whether any were sent */
  pump(stream: ServerStream, limit = Number.POSITIVE_INFINITY): boolean {
    let left = limit;
    for (let data = stream.next; data; data = stream.next) {
      const length = Math.min(data.length, stream.sendWindow, this.#window, defaultFrameBytes, left);
      if (length <= 0 || this.#out.isFull) {
        this.#blocked.add(stream);
        return left < limit;
      }
      this.#data(stream, data, length);
      left -= length;
    }
    if (stream.mustSendEnd) this.#end(stream);
    this.#blocked.delete(stream);
    stream.afterSent();
    return true;
  }

  #end(stream: ServerStream): void {
    const { trailers } = stream;
    if (!trailers) return this.#data(stream, empty, 0);
    stream.sentTrailers();
    this.sendHeaders(stream, undefined, trailers, true);
  }

  #data(stream: ServerStream, data: Uint8Array, length: number): void {
    stream.sendWindow -= length;
    this.#window -= length;
    this.#out.frame(frameType.data, stream.sent(length) ? flag.endStream : 0, stream.id, data, 0, length);
  }

  /** Blocked streams send round-robin: a long response does not delay the others. */
  pumpBlocked(): void {
    for (let moved = true; moved && this.#blocked.size > 0; ) {
      moved = false;
      let left = this.#blocked.size;
      for (const stream of this.#blocked) {
        if (left-- === 0) break;
        if (this.#out.isFull || this.#window <= 0) return;
        this.#blocked.delete(stream); // `pump` adds it at the end again if it has more
        moved = this.pump(stream, quantumBytes) || moved;
      }
    }
  }

  /** WINDOW_UPDATE for the connection. @throws Http2Error */
  increaseWindow(bytes: number): void {
    if (bytes === 0) throw new Http2Error(errorCode.protocolError, "WINDOW_UPDATE with an increment of 0");
    this.#window += bytes;
    if (this.#window > maxWindow)
      throw new Http2Error(errorCode.flowControlError, "a flow-control window exceeds 2^31-1");
    this.pumpBlocked();
  }

  /** WINDOW_UPDATE for a stream. @throws Http2Error of the stream */
  increaseStreamWindow(stream: ServerStream, bytes: number): void {
    if (bytes === 0) throw new Http2Error(errorCode.protocolError, "WINDOW_UPDATE with an increment of 0", stream.id);
    stream.sendWindow += bytes;
    if (stream.sendWindow > maxWindow)
      throw new Http2Error(errorCode.flowControlError, "a flow-control window exceeds 2^31-1", stream.id);
    if (this.#blocked.has(stream)) this.pump(stream);
  }

  remove(stream: ServerStream): void {
    this.#blocked.delete(stream);
  }
}
