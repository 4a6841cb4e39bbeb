/** HTTP/2 frames (RFC 9113, section 4 and 6): only what a load client needs. */
export const frameType = {
  data: 0,
  headers: 1,
  resetStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;
export const frameFlag = { ack: 1, endStream: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;
export const setting = { headerTableSize: 1, enablePush: 2, initialWindowSize: 4 } as const;
export const frameHeadLength = 9;
export const largestWindow = 2 ** 31 - 1;
export const defaultWindow = 65_535;

export const connectionPreface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

export function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(frameHeadLength + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(stream, 5);
  bytes.set(payload, frameHeadLength);
  return bytes;
}

export function settingsFrame(values: readonly (readonly [id: number, value: number])[]): Buffer {
  const payload = Buffer.allocUnsafe(values.length * 6);
  values.forEach(([id, value], index) => {
    payload.writeUInt16BE(id, index * 6);
    payload.writeUInt32BE(value, index * 6 + 2);
  });
  return frame(frameType.settings, 0, 0, payload);
}

export function windowUpdateFrame(stream: number, increment: number): Buffer {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt32BE(increment, 0);
  return frame(frameType.windowUpdate, 0, stream, payload);
}
