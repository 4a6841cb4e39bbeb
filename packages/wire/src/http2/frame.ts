import { errorCode, Http2Error } from "./http2-error.js";

/** RFC 9113, section 6. */
export const frameType = { data: 0, headers: 1, priority: 2, reset: 3, settings: 4, pushPromise: 5, ping: 6, goAway: 7, windowUpdate: 8, continuation: 9 } as const;
export const flag = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;
export const setting = { headerTableSize: 1, enablePush: 2, maxConcurrentStreams: 3, initialWindowSize: 4, maxFrameSize: 5 } as const;

export const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");
/** What we take, and what every server must; ours says nothing else. */
export const defaultFrameBytes = 16_384;
export const maxWindow = 2 ** 31 - 1;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** Nine bytes of head and room for the payload, which the caller fills in. */
export function allocateFrame(type: number, flags: number, stream: number, length: number): Buffer {
  const frame = Buffer.allocUnsafe(9 + length);
  frame[0] = length >>> 16;
  frame[1] = length >>> 8;
  frame[2] = length;
  frame[3] = type;
  frame[4] = flags;
  frame.writeUInt32BE(stream, 5);
  return frame;
}

export function encodeFrame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const frame = allocateFrame(type, flags, stream, payload.length);
  frame.set(payload, 9);
  return frame;
}

export function encodeNumber(type: number, stream: number, value: number): Buffer {
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

/** Cuts what arrives into frames. */
export class FrameReader {
  #rest: Buffer | undefined;

  /** @throws Http2Error for a frame that is too long, and whatever `onFrame` throws */
  push(chunk: Buffer, onFrame: (frame: Frame) => void): void {
    let bytes = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#rest = undefined;
    while (bytes.length >= 9) {
      const length = bytes.readUIntBE(0, 3);
      if (length > defaultFrameBytes) throw new Http2Error(errorCode.frameSizeError, `a frame of ${length} bytes is over the limit of ${defaultFrameBytes}`);
      if (bytes.length < 9 + length) break;
      onFrame({ type: bytes[3]!, flags: bytes[4]!, stream: bytes.readUInt32BE(5) & maxWindow, payload: bytes.subarray(9, 9 + length) });
      bytes = bytes.subarray(9 + length);
    }
    if (bytes.length > 0) this.#rest = bytes;
  }
}

/** The payload without padding and without the priority that headers may begin with. */
export function withoutPadding({ type, flags, payload }: Frame): Buffer {
  let start = 0;
  let end = payload.length;
  if ((flags & flag.padded) !== 0) {
    start = 1;
    end -= payload[0] ?? 0;
  }
  if (type === frameType.headers && (flags & flag.priority) !== 0) start += 5;
  if (end < start) throw new Http2Error(errorCode.protocolError, "a frame has more padding than it is long");
  return payload.subarray(start, end);
}
