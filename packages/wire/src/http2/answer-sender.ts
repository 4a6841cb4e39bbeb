import { defaultFrameBytes, defaultWindow, flag, frameType, maxWindow } from "./frame.js";
import { HeaderCompressor } from "./header-compressor.js";
import { errorCode, Http2Error } from "./http2-error.js";
import type { Outbox } from "./outbox.js";
import { PeerSettings } from "./peer-settings.js";
import type { ResponseHeaders, ServerStream } from "./server-stream.js";

/** One answer's share of the room there is, while others wait, too. */
const shareBytes = 64 * 1024;
const nothing = new Uint8Array(0);

/** Sends the answers of a connection, as far as the windows of its client and the room in the outbox allow. */
export class AnswerSender {
  readonly #out: Outbox;
  readonly #compressor = new HeaderCompressor();
  readonly #peer = new PeerSettings();
  /** Have something to send, and no window or no room for it. */
  readonly #blocked = new Set<ServerStream>();
  #window = defaultWindow;

  constructor(out: Outbox) {
    this.#out = out;
  }

  /** For a stream that is opened now. */
  get initialWindow(): number {
    return this.#peer.initialWindow;
  }

  /** What the client says of how it takes answers. @throws Http2Error */
  applySettings(payload: Buffer, streams: readonly ServerStream[]): void {
    const before = this.#peer.initialWindow;
    this.#peer.apply(payload);
    this.#compressor.limitTable(this.#peer.headerTableSize);
    // Counts for the streams that are open, too, and may make their windows negative.
    for (const stream of streams) {
      stream.sendWindow += this.#peer.initialWindow - before;
      if (stream.sendWindow > maxWindow) throw new Http2Error(errorCode.flowControlError, "a window is out of bounds");
    }
  }

  head(stream: ServerStream, status: number, headers: ResponseHeaders, end: boolean): void {
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

  /** Sends what it may, and `most` bytes at the most. @returns whether that was anything */
  pump(stream: ServerStream, most = Number.POSITIVE_INFINITY): boolean {
    let left = most;
    for (let data = stream.next; data; data = stream.next) {
      const length = Math.min(data.length, stream.sendWindow, this.#window, defaultFrameBytes, left);
      if (length <= 0 || this.#out.isCrowded) {
        this.#blocked.add(stream);
        return left < most;
      }
      this.#data(stream, data, length);
      left -= length;
    }
    if (stream.owesEnd) this.#data(stream, nothing, 0);
    this.#blocked.delete(stream);
    stream.afterSending();
    return true;
  }

  #data(stream: ServerStream, data: Uint8Array, length: number): void {
    stream.sendWindow -= length;
    this.#window -= length;
    this.#out.frame(frameType.data, stream.sent(length) ? flag.endStream : 0, stream.id, data, 0, length);
  }

  /** Those that could not send, in turns: a long answer does not keep the others waiting. */
  pumpBlocked(): void {
    for (let moved = true; moved && this.#blocked.size > 0; ) {
      moved = false;
      let left = this.#blocked.size;
      for (const stream of this.#blocked) {
        if (left-- === 0) break;
        if (this.#out.isCrowded || this.#window <= 0) return;
        this.#blocked.delete(stream); // and, if it still has something, last in the row
        moved = this.pump(stream, shareBytes) || moved;
      }
    }
  }

  /** The client takes so much more, of all answers together. @throws Http2Error */
  enlarge(bytes: number): void {
    if (bytes === 0) throw new Http2Error(errorCode.protocolError, "a window is enlarged by nothing");
    this.#window += bytes;
    if (this.#window > maxWindow) throw new Http2Error(errorCode.flowControlError, "a window is out of bounds");
    this.pumpBlocked();
  }

  /** The client takes so much more of one answer. @throws Http2Error of its stream */
  enlargeFor(stream: ServerStream, bytes: number): void {
    if (bytes === 0) throw new Http2Error(errorCode.protocolError, "a window is enlarged by nothing", stream.id);
    stream.sendWindow += bytes;
    if (stream.sendWindow > maxWindow)
      throw new Http2Error(errorCode.flowControlError, "a window is out of bounds", stream.id);
    if (this.#blocked.has(stream)) this.pump(stream);
  }

  forget(stream: ServerStream): void {
    this.#blocked.delete(stream);
  }
}
