import { frameHeadLength, frameType } from "./frame.js";

export interface FrameHandlers {
  /** A part of a DATA frame as it comes off the socket; valid during the call only. */
  data(stream: number, part: Buffer): void;
  /** A DATA frame is complete. */
  dataEnd(stream: number, flags: number): void;
  /** Any other frame, whole; its payload too is valid during the call only. */
  frame(type: number, flags: number, stream: number, payload: Buffer): void;
}

/** Cuts a byte stream into frames without copying the bodies, which may be tens of megabytes. A chunk may be used again after the call. */
export function createFrameReader(handlers: FrameHandlers): (chunk: Buffer) => void {
  const head = Buffer.alloc(frameHeadLength);
  let headFilled = 0;
  let remaining = -1; // of the payload; -1 while the head is incomplete
  let type = 0;
  let flags = 0;
  let stream = 0;
  let parts: Buffer[] = [];

  const finish = (): void => {
    if (type === frameType.data) handlers.dataEnd(stream, flags);
    else handlers.frame(type, flags, stream, parts.length === 1 ? parts[0]! : Buffer.concat(parts));
    parts = [];
    headFilled = 0;
    remaining = -1;
  };

  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (remaining < 0) {
        const taken = Math.min(frameHeadLength - headFilled, chunk.length - at);
        chunk.copy(head, headFilled, at, at + taken);
        headFilled += taken;
        at += taken;
        if (headFilled < frameHeadLength) return;
        remaining = head.readUIntBE(0, 3);
        type = head[3]!;
        flags = head[4]!;
        stream = head.readUInt32BE(5) & 0x7fffffff;
      } else {
        const part = chunk.subarray(at, at + remaining);
        at += part.length;
        remaining -= part.length;
        if (type === frameType.data) handlers.data(stream, part);
        else parts.push(remaining === 0 ? part : Buffer.from(part)); // what is kept beyond this call is copied
      }
      if (remaining === 0) finish();
    }
  };
}
