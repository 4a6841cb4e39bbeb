import { describe, expect, it } from "vitest";
import { encodeFrame, type Frame, readFrames } from "./frame.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const joined = Buffer.concat([...encodeFrame({ a: 1 }, [bytes("one"), bytes("two")]), ...encodeFrame({ b: "ü" })]);

async function* inPieces(whole: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
}

async function read(source: AsyncIterable<Uint8Array>, maxBytes = 1000): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of readFrames(source, maxBytes)) frames.push(frame);
  return frames;
}

describe("frames", () => {
  for (const size of [1, 7, 8, 9, 1000]) {
    it(`are the same however the bytes arrive: ${size} at a time`, async () => {
      const frames = await read(inPieces(joined, size));
      expect(frames.map(({ head, body }) => [head, body.toString()])).toEqual([
        [{ a: 1 }, "onetwo"],
        [{ b: "ü" }, ""],
      ]);
    });
  }

  it("that end too early are refused", async () => {
    await expect(read(inPieces(joined.subarray(0, -1), 5))).rejects.toThrow("ended in the middle of a message");
  });

  it("that are too long are refused before they are held", async () => {
    await expect(read(inPieces(joined, 8), 10)).rejects.toThrow("is more than the 10 that are taken here");
  });

  it("that are no JSON are refused", async () => {
    await expect(read(inPieces(Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 0x7b]), 100))).rejects.toThrow("is not JSON");
  });
});
