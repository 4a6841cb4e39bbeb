import { expect, it } from "vitest";
import { fnv128 } from "./fnv128.js";

/** By the definition: http://www.isthe.com/chongo/tech/comp/fnv/. */
function byDefinition(text: string): string {
  let hash = 0x6c62272e07bb014262b821756295c58dn;
  for (const byte of Buffer.from(text))
    hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * 0x0000000001000000000000000000013bn);
  return hash.toString(16).padStart(32, "0");
}

for (const text of ["", "a", "foobar", "(v1.EndpointPort){Name:(string)http Port:(int32)80}", "ü".repeat(1000)])
  it(`hashes ${JSON.stringify(text.slice(0, 20))} as FNV-1a with 128 bits does`, () =>
    expect(fnv128(text)).toBe(byDefinition(text)));
it("the hash of a single letter is the published one", () =>
  expect(fnv128("a")).toBe("d228cb696f1a8caf78912b704e4a8964"));
