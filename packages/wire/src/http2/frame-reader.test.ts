import { describe, expect, it } from "vitest";
import { encodeFrame, FrameReader, frameType } from "./frame.js";

const frames = [0, 1, 40, 300].map((bytes, index) =>
  encodeFrame(frameType.data, 0, index + 1, Buffer.alloc(bytes, index + 1)),
);
const wire = Buffer.concat(frames);

function readAll(reader: FrameReader): string[] {
  const read: string[] = [];
  for (let frame = reader.next(); frame; frame = reader.next())
    read.push(`${frame.stream}: ${frame.payload.length} times ${frame.payload[0] ?? "nothing"}`);
  return read;
}

const expected = ["1: 0 times nothing", "2: 1 times 2", "3: 40 times 3", "4: 300 times 4"];

describe("frames that arrive", () => {
  it.each([1, 2, 3, 7, 8, 9, 10, 50, 64, 100])(
    "in pieces of %i bytes are read as they were sent, at once and later",
    (size) => {
      const [eager, late] = [new FrameReader(), new FrameReader()];
      const read: string[] = [];
      for (let at = 0; at < wire.length; at += size) {
        eager.push(wire.subarray(at, at + size));
        late.push(wire.subarray(at, at + size));
        read.push(...readAll(eager));
      }
      expect(read).toEqual(expected);
      expect(late.backlog).toBe(wire.length);
      expect(readAll(late)).toEqual(expected);
      expect([eager.backlog, late.backlog]).toEqual([0, 0]);
    },
  );

  it("are copied only where they span chunks", () => {
    const reader = new FrameReader();
    const pieces = [wire.subarray(0, 20), wire.subarray(20)].map((piece) => Buffer.from(new Uint8Array(piece).buffer));
    for (const piece of pieces) reader.push(piece);
    const payloads = Array.from({ length: 4 }, () => reader.next()!.payload);
    const homes = payloads.map((payload) => pieces.findIndex(({ buffer }) => buffer === payload.buffer));
    expect(homes).toEqual([0, 0, -1, 1]);
  });
});
