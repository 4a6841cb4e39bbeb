import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { deflateSegment, GzipMember, gzipHeader } from "./gzip-member.js";

describe("a gzip member of segments", () => {
  it("is what its segments were", async () => {
    const texts = ['{"items":[', "a".repeat(70_000), ",", "b".repeat(3), "", "]}"].map((text) => Buffer.from(text));
    const member = new GzipMember();
    const parts: Uint8Array[] = [gzipHeader];
    for (const text of texts) {
      const segment = await deflateSegment(text);
      member.add(segment);
      parts.push(segment.deflated);
    }
    expect(gunzipSync(Buffer.concat([...parts, member.end()])).equals(Buffer.concat(texts))).toBe(true);
  });
});
