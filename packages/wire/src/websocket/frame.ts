/** RFC 6455, section 5. */
export const opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Codes of a close that both sides understand. */
export const closeCode = {
  normal: 1000,
  goingAway: 1001,
  protocolError: 1002,
  unsupported: 1003,
  noStatus: 1005,
  abnormal: 1006,
  invalidData: 1007,
  policy: 1008,
  tooBig: 1009,
  internal: 1011,
} as const;

export interface Frame {
  readonly opcode: number;
  readonly final: boolean;
  readonly payload: Buffer;
}

/** A frame that breaks the rules; the connection ends with `code`. */
export class WebSocketError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = "WebSocketError";
    this.code = code;
  }
}

/** @param mask four bytes from a client, none from a server */
export function encodeFrame(frame: Frame, mask?: Uint8Array): Buffer {
  const { length } = frame.payload;
  const extended = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const start = 2 + extended + (mask ? 4 : 0);
  const bytes = Buffer.allocUnsafe(start + length);
  bytes[0] = (frame.final ? 0x80 : 0) | frame.opcode;
  bytes[1] = (mask ? 0x80 : 0) | (extended === 0 ? length : extended === 2 ? 126 : 127);
  if (extended === 2) bytes.writeUInt16BE(length, 2);
  if (extended === 8) bytes.writeBigUInt64BE(BigInt(length), 2);
  frame.payload.copy(bytes, start);
  if (mask) {
    bytes.set(mask, start - 4);
    applyMask(bytes.subarray(start), mask);
  }
  return bytes;
}

/** In place. Doing it twice undoes it. */
export function applyMask(bytes: Uint8Array, mask: Uint8Array): void {
  const [a, b, c, d] = mask as unknown as [number, number, number, number];
  const whole = bytes.length - (bytes.length % 4);
  for (let index = 0; index < whole; index += 4) {
    bytes[index]! ^= a;
    bytes[index + 1]! ^= b;
    bytes[index + 2]! ^= c;
    bytes[index + 3]! ^= d;
  }
  for (let index = whole; index < bytes.length; index += 1) bytes[index]! ^= mask[index % 4]!;
}
