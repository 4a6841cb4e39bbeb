import { type Frame, FrameReader, frameType, preface } from "./frame.js";
import { checkFrame } from "./frame-rules.js";
import type { Header } from "./header.js";
import { type HeaderBlock, HeaderGathering } from "./header-gathering.js";
import { HpackDecoder } from "./hpack-decoder.js";
import { errorCode, Http2Error } from "./http2-error.js";

/** What a client sends to a server: its greeting, and then frames that make sense one by one and in their order. */
export class FrameIntake {
  /** The client has said its settings, which come first. */
  hasSettings = false;
  readonly #reader: FrameReader;
  readonly #hpack: HpackDecoder;
  readonly #gathering: HeaderGathering;
  #greeted = 0;

  constructor({ maxFrameBytes, maxHeaderBytes }: { maxFrameBytes: number; maxHeaderBytes: number }) {
    this.#reader = new FrameReader(maxFrameBytes);
    this.#hpack = new HpackDecoder(maxHeaderBytes);
    this.#gathering = new HeaderGathering(maxHeaderBytes);
  }

  /** Bytes that have come and were not looked at. */
  get backlog(): number {
    return this.#reader.backlog;
  }

  push(chunk: Buffer): void {
    this.#reader.push(chunk);
  }

  /** Of the next frame; undefined if it is not here as a whole. @throws Http2Error for who does not speak HTTP/2 */
  peekType(): number | undefined {
    return this.#greeted < preface.length && !this.#greet() ? undefined : this.#reader.peekType();
  }

  /** When `peekType` has seen one. @throws Http2Error */
  next(): Frame {
    const frame = this.#reader.next()!;
    checkFrame(frame);
    if (!this.hasSettings && frame.type !== frameType.settings)
      throw new Http2Error(errorCode.protocolError, "the client begins without settings");
    this.#gathering.check(frame);
    return frame;
  }

  /** What the headers say that end with this frame, without `headers` if they are too long; undefined if they go on. */
  readHeaders(frame: Frame): { block: HeaderBlock; headers: Header[] | undefined } | undefined {
    const block = this.#gathering.add(frame);
    // Read in any case: later headers refer to these.
    return block && { block, headers: this.#hpack.decode(block.bytes) };
  }

  /** @returns whether it is complete */
  #greet(): boolean {
    const bytes = this.#reader.take(preface.length - this.#greeted);
    if (bytes.compare(preface, this.#greeted, this.#greeted + bytes.length) !== 0)
      throw new Http2Error(errorCode.protocolError, "the client does not speak HTTP/2");
    this.#greeted += bytes.length;
    return this.#greeted === preface.length;
  }
}
