import { type Frame, FrameReader, frameType, preface } from "./frame.js";
import { checkFrame } from "./frame-rules.js";
import type { Header } from "./header.js";
import { type HeaderBlock, HeaderBlockAssembler } from "./header-block-assembler.js";
import { HpackDecoder } from "./hpack-decoder.js";
import { errorCode, Http2Error } from "./http2-error.js";

/** The input of a server connection: the client's preface, then frames, checked one by one and in their order. */
export class FrameReceiver {
  /** The client's first SETTINGS frame was received; no other frame may come before it. */
  hasSettings = false;
  readonly #reader: FrameReader;
  readonly #hpack: HpackDecoder;
  readonly #headerBlocks: HeaderBlockAssembler;
  #prefaceBytes = 0;

  constructor({ maxFrameBytes, maxHeaderBytes }: { maxFrameBytes: number; maxHeaderBytes: number }) {
    this.#reader = new FrameReader(maxFrameBytes);
    this.#hpack = new HpackDecoder(maxHeaderBytes);
    this.#headerBlocks = new HeaderBlockAssembler(maxHeaderBytes);
  }

  /** Bytes received and not yet processed. */
  get backlog(): number {
    return this.#reader.backlog;
  }

  push(chunk: Buffer): void {
    this.#reader.push(chunk);
  }

  /** Type of the next frame; undefined if it is not complete. @throws Http2Error for an invalid preface */
  peekType(): number | undefined {
    return this.#prefaceBytes < preface.length && !this.#readPreface() ? undefined : this.#reader.peekType();
  }

  /** Stream of the next frame, when `peekType` returned its type. */
  peekStream(): number {
    return this.#reader.peekStream();
  }

  /** The next frame, when `peekType` returned its type. @throws Http2Error */
  next(): Frame {
    const frame = this.#reader.next()!;
    checkFrame(frame);
    if (!this.hasSettings && frame.type !== frameType.settings)
      throw new Http2Error(errorCode.protocolError, "the first frame is not SETTINGS");
    this.#headerBlocks.check(frame);
    return frame;
  }

  /** The header block that ends with this frame, without `headers` if these exceed SETTINGS_MAX_HEADER_LIST_SIZE; undefined if it continues. */
  readHeaders(frame: Frame): { block: HeaderBlock; headers: Header[] | undefined } | undefined {
    const block = this.#headerBlocks.add(frame);
    // Decoded in any case: it changes the dynamic table that later blocks refer to.
    return block && { block, headers: this.#hpack.decode(block.bytes) };
  }

  /** @returns whether all of it was received */
  #readPreface(): boolean {
    const bytes = this.#reader.take(preface.length - this.#prefaceBytes);
    if (bytes.compare(preface, this.#prefaceBytes, this.#prefaceBytes + bytes.length) !== 0)
      throw new Http2Error(errorCode.protocolError, "the client sent no HTTP/2 preface");
    this.#prefaceBytes += bytes.length;
    return this.#prefaceBytes === preface.length;
  }
}
