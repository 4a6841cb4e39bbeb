import { describe, expect, it } from "vitest";
import { ByteCollector } from "./byte-collector.js";

const collect = (chunks: Iterable<Uint8Array>): ByteCollector => {
  const collector = new ByteCollector();
  for (const chunk of chunks) collector.add(chunk);
  return collector;
};
const slab = Buffer.alloc(64 * 1024, "x");
const slices = function* (count: number, bytes: number): Generator<Buffer> {
  for (let at = 0; at < count; at++) yield slab.subarray(at % 1000, (at % 1000) + bytes);
};

describe("collected bytes", () => {
  const cases = [
    { name: "chunks of one byte hold twice their bytes at most", chunks: () => slices(100_000, 1), most: 200_000 },
    { name: "chunks without bytes hold nothing", chunks: () => slices(100_000, 0), most: 0 },
    { name: "a small slice does not keep the buffer it is cut from", chunks: () => slices(1, 1), most: 2 },
    { name: "a chunk that is most of its buffer is not copied", chunks: () => [slab], most: slab.length },
    { name: "large chunks hold twice their bytes at most", chunks: () => slices(50, 60_000), most: 6_000_000 },
  ];
  for (const { name, chunks, most } of cases)
    it(name, () => {
      const collector = collect(chunks());
      expect(collector.heldBytes).toBeLessThanOrEqual(most);
      expect(collector.take().equals(Buffer.concat([...chunks()]))).toBe(true);
      expect([collector.length, collector.heldBytes]).toEqual([0, 0]);
    });

  it("are taken in any pieces, in their order", () => {
    const collector = collect([Buffer.from("ab"), Buffer.from("cde")]);
    expect(String(collector.peek(3))).toBe("abc");
    expect(collector.peek(6)).toBeUndefined();
    expect([String(collector.take(1)), String(collector.take(3))]).toEqual(["a", "bcd"]);
    collector.add(Buffer.from("fg"));
    expect(String(collector.take(10))).toBe("efg");
  });

  it("are never written to once they were taken", () => {
    const collector = collect([Buffer.from("a"), Buffer.from("b"), Buffer.from("c")]);
    const taken = collector.take(2);
    for (let at = 0; at < 1000; at++) collector.add(Buffer.from("z"));
    expect(String(taken)).toBe("ab");
  });

  it("taking from the front while more is added copies a bounded share", () => {
    const collector = collect([Buffer.alloc(500_000)]);
    for (let at = 0; at < 10_000; at++) {
      collector.add(slab.subarray(0, 100));
      collector.take(100);
    }
    expect([collector.length, collector.heldBytes <= 2 * (500_000 + 100)]).toEqual([500_000, true]);
  });
});
