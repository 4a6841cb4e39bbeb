import { describe, expect, it } from "vitest";
import { createSeededRandom, randomUuid, shuffled, systemRandom } from "./index.js";

const draw = (source: { next(): number }, count = 5): number[] => Array.from({ length: count }, () => source.next());

describe("seeded random", () => {
  it("draws the same for the same seed", () =>
    expect(draw(createSeededRandom("a"))).toEqual(draw(createSeededRandom("a"))));
  it("draws otherwise for another seed", () =>
    expect(draw(createSeededRandom(1))).not.toEqual(draw(createSeededRandom(2))));
  it("has not changed: recorded runs depend on it", () =>
    expect(randomUuid(createSeededRandom(36))).toMatchInlineSnapshot(`"9477437c-9709-4a22-b669-a63096b0970d"`));
  it("forks are not disturbed by their parent", () => {
    const parent = createSeededRandom("a");
    const before = draw(parent.fork("x"));
    draw(parent, 100);
    expect(draw(parent.fork("x"))).toEqual(before);
    expect(draw(parent.fork("y"))).not.toEqual(before);
  });
  it("is even enough", () => {
    const mean = draw(createSeededRandom("even"), 100_000).reduce((sum, value) => sum + value, 0) / 100_000;
    expect(mean).toBeGreaterThan(0.495);
    expect(mean).toBeLessThan(0.505);
  });
});

describe("system random", () => {
  it("stays in range", () => expect(draw(systemRandom, 5000).every((value) => value >= 0 && value < 1)).toBe(true));
  it("gives any number of bytes, different ones each time", () => {
    for (const length of [0, 1, 16, 256, 257, 70_000]) expect(systemRandom.bytes(length)).toHaveLength(length);
    expect(systemRandom.bytes(32)).not.toEqual(systemRandom.bytes(32));
    expect(
      systemRandom
        .bytes(70_000)
        .subarray(65_536)
        .some((byte) => byte !== 0),
    ).toBe(true);
  });
});

describe("of random", () => {
  it("uuids have version 4", () =>
    expect(randomUuid(systemRandom)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/));
  it("shuffling keeps the items", () => {
    const items = Array.from({ length: 50 }, (_, i) => i);
    const mixed = shuffled(items, createSeededRandom(1));
    expect(mixed).not.toEqual(items);
    expect([...mixed].sort((a, b) => a - b)).toEqual(items);
  });
});
