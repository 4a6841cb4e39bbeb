import { describe, expect, it } from "vitest";
import { type BlockFacts, encodeBlock, inflateBlock, readHead } from "./block.js";
import { BlockDeflater } from "./block-deflater.js";

const textOf = (from: number): Buffer =>
  Buffer.from(
    Array.from({ length: 50 }, (_, at) =>
      JSON.stringify({ kind: "Pod", uid: (from + at) * 7919, phase: "Running" }),
    ).join(),
  );
const factsOf = (raw: Buffer): BlockFacts => ({
  kind: "changes",
  isEnd: false,
  count: 1,
  rawBytes: raw.length,
  firstRevision: 7,
  lastRevision: 9,
  upTo: 9,
  firstTime: 1,
  lastTime: 2,
  hashes: Uint32Array.of(3, 5),
});

describe("a block that is deflated against another", () => {
  const [base, raw] = [textOf(0), textOf(100)];
  it("is smaller, and is read with the other", async () => {
    const alone = await encodeBlock(factsOf(raw), raw);
    const bytes = await encodeBlock(factsOf(raw), raw, { distance: 1000, deflater: new BlockDeflater(base) });
    expect(bytes.length).toBeLessThan(alone.length);
    const place = readHead(bytes, 1234)!;
    expect(place).toMatchObject({ offset: 1234, baseDistance: 1000, firstRevision: 7, hashes: Uint32Array.of(3, 5) });
    expect(inflateBlock(place, bytes, base).equals(raw)).toBe(true);
    expect(readHead(alone, 0)?.baseDistance).toBe(0);
  });

  it("is refused when the disk has other bytes", async () => {
    const bytes = await encodeBlock(factsOf(raw), raw, { distance: 1000, deflater: new BlockDeflater(base) });
    const place = readHead(bytes, 1234)!;
    bytes[52]! ^= 1; // which block it was deflated against
    expect(() => inflateBlock(place, bytes, base)).toThrow("is not as it was written");
  });

  it("is as if it were the only one, however many are deflated against the same base, and however large they are", async () => {
    const shared = new BlockDeflater(base);
    for (const each of [
      raw,
      textOf(500),
      Buffer.concat(Array.from({ length: 300 }, (_, at) => textOf(at * 31))),
      raw,
    ]) {
      const bytes = await encodeBlock(factsOf(each), each, { distance: 1000, deflater: shared });
      const own = new BlockDeflater(base);
      expect(bytes.equals(await encodeBlock(factsOf(each), each, { distance: 1000, deflater: own }))).toBe(true);
      expect(inflateBlock(readHead(bytes, 1234)!, bytes, base).equals(each)).toBe(true);
      own.close();
    }
    shared.close();
  });
});
