import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { ValueSlab } from "./value-slab.js";

describe("a slab of values", () => {
  const filled = (length: number, seed: number): Uint8Array =>
    Uint8Array.from({ length }, (_, i) => (i * 7 + seed) % 251);

  it("holds copies that stay as they were, whatever is read into the same buffer later", () => {
    const slab = new ValueSlab(16 * 1024);
    const shared = new Uint8Array(8 * 1024);
    const lengths = [
      1, 0, 255, 256, 257, 300, 5, 2000, 4096, 4097, 8192, 3, 1500, 1500, 1500, 1500, 1500, 1500, 1500, 1500, 1500,
      1500,
    ];
    const copies = lengths.map((length, seed) => {
      const from = Math.min(40, length);
      const value = filled(length, seed);
      shared.set(value);
      return { copy: slab.copy(shared, from, length), expected: value.subarray(from) };
    });
    for (const { copy, expected } of copies) assert.deepEqual(copy, Uint8Array.from(expected));
  });

  it("reads from a part of a larger buffer, up to its very end, and from one after another", () => {
    const slab = new ValueSlab(16 * 1024);
    const whole = filled(1000, 1);
    for (const bytes of [whole.subarray(900), whole.subarray(100), Buffer.from(filled(10, 3))]) {
      assert.deepEqual(slab.copy(bytes, 1, bytes.length), Uint8Array.from(bytes.subarray(1)));
    }
  });
});
