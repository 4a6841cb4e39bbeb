import { ByteCollector } from "../bytes/index.js";
import { SpdyError } from "./spdy-error.js";

/** SPDY/3.1, section 2.2. */
export const frameType = {
  synStream: 1,
  synReply: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const;
export const flag = { fin: 1, unidirectional: 2 } as const;

export interface ControlFrame {
  readonly type: number;
  readonly flags: number;
  readonly payload: Buffer;
}

const version = 3;
/** Limit of a header block, in bytes. */
const maxControlBytes = 256 * 1024;

export function encodeControl(type: number, flags: number, ...payload: readonly Buffer[]): Buffer {
  const length = payload.reduce((sum, part) => sum + part.length, 0);
  const head = Buffer.allocUnsafe(8);
  head.writeUInt16BE(0x8000 | version, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt32BE(((flags << 24) | length) >>> 0, 4);
  return Buffer.concat([head, ...payload]);
}

export function encodeData(stream: number, fin: boolean, data: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(8 + data.length);
  frame.writeUInt32BE(stream, 0);
  frame.writeUInt32BE((((fin ? flag.fin : 0) << 24) | data.length) >>> 0, 4);
  frame.set(data, 8);
  return frame;
}

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

export interface FrameEvents {
  readonly onControl: (frame: ControlFrame) => void;
  /** In pieces as they come; `fin` with the last one. */
  readonly onData: (stream: number, data: Buffer, fin: boolean) => void;
}

/** Cuts what arrives into frames. A data frame is passed on piece by piece, so its length needs no limit. */
export class FrameReader {
  readonly #events: FrameEvents;
  readonly #bytes = new ByteCollector();
  /** The data frame under way. */
  #data: { readonly stream: number; readonly fin: boolean; left: number } | undefined;

  constructor(events: FrameEvents) {
    this.#events = events;
  }

  /** @throws SpdyError for what is not SPDY/3 */
  push(chunk: Buffer): void {
    this.#bytes.add(chunk);
    while (this.#bytes.length > 0) if (!(this.#data ? this.#readData(this.#data) : this.#readHead())) return;
  }

  #readData(data: { readonly stream: number; readonly fin: boolean; left: number }): boolean {
    const piece = this.#bytes.take(data.left);
    data.left -= piece.length;
    if (data.left === 0) this.#data = undefined;
    this.#events.onData(data.stream, piece, data.fin && data.left === 0);
    return true;
  }

  #readHead(): boolean {
    const head = this.#bytes.peek(8);
    if (!head) return false;
    const first = head.readUInt32BE(0);
    const flags = head[4]!;
    const length = head.readUIntBE(5, 3);
    if (first < 0x8000_0000) {
      this.#bytes.take(8);
      if (length > 0) this.#data = { stream: first, fin: (flags & flag.fin) !== 0, left: length };
      else this.#events.onData(first, Buffer.alloc(0), (flags & flag.fin) !== 0);
      return true;
    }
    if (((first >>> 16) & 0x7fff) !== version)
      throw new SpdyError(
        "unsupported-version",
        `the other side speaks version ${(first >>> 16) & 0x7fff} of SPDY, not ${version}`,
      );
    if (length > maxControlBytes)
      throw new SpdyError(
        "frame-too-large",
        `a control frame of ${length} bytes is over the limit of ${maxControlBytes}`,
      );
    if (this.#bytes.length < 8 + length) return false;
    this.#bytes.take(8);
    this.#events.onControl({ type: first & 0xffff, flags, payload: this.#bytes.take(length) });
    return true;
  }
}
