import { describe, expect, it } from "vitest";
import { frame, frameType } from "./frame.js";
import { createFrameReader } from "./frame-reader.js";

/** What a reader reports for `bytes` when they come in pieces of `size` through one buffer that is used again. */
function readInPieces(bytes: Buffer, size: number): string[] {
  const frames: string[] = [];
  let body = "";
  const read = createFrameReader({
    data: (_stream, part) => void (body += part.toString()),
    dataEnd: (stream, flags) => {
      frames.push(`data ${stream} ${flags} ${body}`);
      body = "";
    },
    frame: (type, flags, stream, payload) => void frames.push(`${type} ${flags} ${stream} ${payload.toString()}`),
  });
  const buffer = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size) {
    const length = bytes.copy(buffer, 0, at, at + size);
    read(buffer.subarray(0, length));
  }
  return frames;
}

describe("createFrameReader", () => {
  const bytes = Buffer.concat([
    frame(frameType.headers, 4, 1, Buffer.from("some headers")),
    frame(frameType.data, 0, 1, Buffer.from("the first part")),
    frame(frameType.settings, 1, 0, Buffer.alloc(0)),
    frame(frameType.data, 1, 1, Buffer.from("the rest")),
  ]);
  for (const size of [1, 5, 17, 1000])
    it(`reads whole frames from pieces of ${size} bytes in one buffer`, () =>
      expect(readInPieces(bytes, size)).toEqual([
        "1 4 1 some headers",
        "data 1 0 the first part",
        "4 1 0 ",
        "data 1 1 the rest",
      ]));
});
