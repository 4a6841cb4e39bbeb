import { ByteCollector } from "../bytes/index.js";
import { errorCode, Http2Error } from "./http2-error.js";

/** RFC 9113, section 6. */
export const frameType = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;
export const flag = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;
export const setting = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

export const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");
/** The default, and minimum, of SETTINGS_MAX_FRAME_SIZE. */
export const defaultFrameBytes = 16_384;
export const frameHeaderBytes = 9;
/** Initial flow-control window of each stream and of the connection. */
export const defaultWindow = 65_535;
export const maxWindow = 2 ** 31 - 1;
export const maxStreamId = 2 ** 31 - 1;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** The frame header: nine bytes before the payload. */
export function writeFrameHeader(
  into: Buffer,
  at: number,
  { type, flags, stream, length }: { type: number; flags: number; stream: number; length: number },
): void {
  into[at] = length >>> 16;
  into[at + 1] = length >>> 8;
  into[at + 2] = length;
  into[at + 3] = type;
  into[at + 4] = flags;
  into[at + 5] = stream >>> 24;
  into[at + 6] = stream >>> 16;
  into[at + 7] = stream >>> 8;
  into[at + 8] = stream;
}

/** A frame header and room for the payload, which the caller fills in. */
export function allocateFrame(type: number, flags: number, stream: number, length: number): Buffer {
  const frame = Buffer.allocUnsafe(frameHeaderBytes + length);
  writeFrameHeader(frame, 0, { type, flags, stream, length });
  return frame;
}

export function encodeFrame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const frame = allocateFrame(type, flags, stream, payload.length);
  frame.set(payload, 9);
  return frame;
}

export function encodeUint32Frame(type: number, stream: number, value: number): Buffer {
  const frame = allocateFrame(type, 0, stream, 4);
  frame.writeUInt32BE(value, 9);
  return frame;
}

export function encodeSettings(settings: readonly (readonly [id: number, value: number])[]): Buffer {
  const frame = allocateFrame(frameType.settings, 0, 0, settings.length * 6);
  settings.forEach(([id, value], index) => {
    frame.writeUInt16BE(id, 9 + index * 6);
    frame.writeUInt32BE(value, 11 + index * 6);
  });
  return frame;
}

export const settingsAck = allocateFrame(frameType.settings, flag.ack, 0, 0);

/** Splits received bytes into frames, on demand. */
export class FrameReader {
  #bytes: Buffer = empty;
  #at = 0;
  readonly #later = new ByteCollector();
  readonly #maxFrame: number;

  constructor(maxFrame: number = defaultFrameBytes) {
    this.#maxFrame = maxFrame;
  }

  push(chunk: Buffer): void {
    if (this.backlog === 0) {
      this.#bytes = chunk;
      this.#at = 0;
    } else this.#later.add(chunk);
  }

  /** Bytes not read yet. */
  get backlog(): number {
    return this.#bytes.length - this.#at + this.#later.length;
  }

  /** The type of the next frame, if it is complete. @throws Http2Error for one that is too long */
  peekType(): number | undefined {
    if (!this.#gather(frameHeaderBytes)) return undefined;
    const length = this.#bytes.readUIntBE(this.#at, 3);
    if (length > this.#maxFrame)
      throw new Http2Error(
        errorCode.frameSizeError,
        `a frame of ${length} bytes is over the limit of ${this.#maxFrame}`,
      );
    return this.#gather(frameHeaderBytes + length) ? this.#bytes[this.#at + 3]! : undefined;
  }

  /** The stream of the next frame, after `peekType` returned its type. */
  peekStream(): number {
    return this.#bytes.readUInt32BE(this.#at + 5) & maxStreamId;
  }

  /** @throws Http2Error */
  next(): Frame | undefined {
    const type = this.peekType();
    if (type === undefined) return undefined;
    const bytes = this.#bytes;
    const start = this.#at + frameHeaderBytes;
    this.#at = start + bytes.readUIntBE(this.#at, 3);
    return {
      type,
      flags: bytes[start - 5]!,
      stream: bytes.readUInt32BE(start - 4) & maxStreamId,
      payload: bytes.subarray(start, this.#at),
    };
  }

  /** Up to so many bytes that are no frame. */
  take(limit: number): Buffer {
    this.#gather(Math.min(limit, this.backlog));
    const start = this.#at;
    this.#at = Math.min(start + limit, this.#bytes.length);
    return this.#bytes.subarray(start, this.#at);
  }

  /** Makes so many bytes contiguous. Only those are copied: copying the backlog behind them with every chunk would take quadratic time. */
  #gather(length: number): boolean {
    const rest = this.#bytes.length - this.#at;
    if (rest >= length) return true;
    if (rest + this.#later.length < length) return false;
    this.#bytes =
      rest === 0
        ? this.#later.take()
        : Buffer.concat([this.#bytes.subarray(this.#at), this.#later.take(length - rest)]);
    this.#at = 0;
    return true;
  }
}

const empty = Buffer.alloc(0);

export function encodeGoAway(lastStream: number, code: number): Buffer {
  const frame = allocateFrame(frameType.goAway, 0, 0, 8);
  frame.writeUInt32BE(lastStream, frameHeaderBytes);
  frame.writeUInt32BE(code, frameHeaderBytes + 4);
  return frame;
}

/** The payload without padding, and of HEADERS without priority. */
export function withoutPadding({ type, flags, payload }: Frame): Buffer {
  let start = 0;
  let end = payload.length;
  if ((flags & flag.padded) !== 0) {
    start = 1;
    end -= payload[0] ?? 0;
  }
  if (type === frameType.headers && (flags & flag.priority) !== 0) start += 5;
  if (end < start) throw new Http2Error(errorCode.protocolError, "padding exceeds the payload");
  return start === 0 && end === payload.length ? payload : payload.subarray(start, end);
}
