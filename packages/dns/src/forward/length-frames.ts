/** Messages over TCP have their length in front, in two octets (RFC 1035, section 4.2.2). */
export interface FrameReader {
  /** Calls back for every message that is whole now. */
  push(data: Uint8Array): void;
}

/** Holds at most one message, however small the pieces are in which it arrives. The bytes are the receiver's. */
export function createFrameReader(onMessage: (bytes: Buffer) => void): FrameReader {
  let message: Buffer | undefined;
  let firstOctet: number | undefined;
  let filled = 0;
  return {
    push(data) {
      let at = 0;
      while (at < data.length) {
        if (!message) {
          const octet = data[at++]!;
          if (firstOctet === undefined) {
            firstOctet = octet;
            continue;
          }
          message = Buffer.allocUnsafe((firstOctet << 8) | octet);
          firstOctet = undefined;
          filled = 0;
        }
        const piece = data.subarray(at, at + message.length - filled);
        message.set(piece, filled);
        filled += piece.length;
        at += piece.length;
        if (filled < message.length) return;
        const whole = message;
        message = undefined;
        onMessage(whole);
      }
    },
  };
}

/** The same bytes with their length in front. */
export function withLength(bytes: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(bytes.length + 2);
  framed.writeUInt16BE(bytes.length, 0);
  framed.set(bytes, 2);
  return framed;
}
