import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { combineCrc32 } from "./crc32-combine.js";

describe("combining checksums", () => {
  const texts = ["", "a", "hello, world", "x".repeat(1000), "\u00e4".repeat(123_457)];
  for (const first of texts) {
    for (const second of texts) {
      it(`${first.length} and ${second.length} characters`, () => {
        expect(combineCrc32(crc32(first), crc32(second), Buffer.byteLength(second))).toBe(crc32(first + second));
      });
    }
  }
});
