import { constants, deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { HeaderInflater, HeaderWriter, type SpdyHeaders } from "./header-block.js";
import { headerDictionary } from "./header-dictionary.js";

// Header blocks of three streams on one connection, written by the Go library that Kubernetes uses (moby/spdystream 0.5.1).
const blocks = [
  "78f9e3c6a7c26260606004a7b392a2d4c45c6851c29a0a0a6800000000ffff",
  "02a54748d15c04ce05160616060c0c0c9c4590a8cc04257146030ccd6cc52529f9a52500000000ffff",
  "02653b90820a7041cb9084bd986601b91e000000ffff",
];
const expected = [
  { streamtype: ["error"] },
  { streamtype: ["stdout"], port: ["8080"], requestid: ["0"] },
  { x: ["a", "b"], "accept-encoding": ["gzip"] },
];
const plain = (headers: SpdyHeaders): unknown => Object.fromEntries(headers);
const headers = (entries: Record<string, string[]>): SpdyHeaders => new Map(Object.entries(entries));

describe("header blocks", () => {
  it("are read as another implementation writes them, each continuing the last", () => {
    const reader = new HeaderInflater();
    expect(blocks.map((block) => plain(reader.read(Buffer.from(block, "hex"))))).toEqual(expected);
  });

  it("are read as they are written", () => {
    const writer = new HeaderWriter();
    const reader = new HeaderInflater();
    for (const entries of [...expected, {}, { long: ["x".repeat(10_000)] }, { after: ["ü"] }])
      expect(plain(reader.read(writer.write(headers(entries))))).toEqual(entries);
  });

  it("have names in lower case", () =>
    expect(plain(new HeaderInflater().read(new HeaderWriter().write(headers({ streamType: ["a"] }))))).toEqual({
      streamtype: ["a"],
    }));
  it("know the dictionary by its checksum", () =>
    expect(Buffer.from(blocks[0]!, "hex").readUInt32BE(2)).toBe(adler32(headerDictionary)));

  const compressed = (bytes: Buffer): Buffer =>
    deflateSync(bytes, { dictionary: headerDictionary, finishFlush: constants.Z_SYNC_FLUSH });
  /** One header, whose name is "a". */
  const header = (value: Buffer): Buffer => {
    const lengths = [1, 1, value.length].map((number) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(number);
      return bytes;
    });
    return Buffer.concat([lengths[0]!, lengths[1]!, Buffer.from("a"), lengths[2]!, value]);
  };
  const broken = [
    { name: "no zlib header", block: Buffer.from("0000", "hex") },
    { name: "rubbish", block: Buffer.from("78f9e3c6a7c2ffffffff", "hex") },
    { name: "a bomb", block: compressed(Buffer.alloc(10_000_000)) },
    { name: "a count without headers", block: compressed(Buffer.from("00000002", "hex")) },
    { name: "too many headers", block: compressed(Buffer.from("ffffffff", "hex")) },
    { name: "a length beyond the end", block: compressed(Buffer.from("0000000100000009", "hex")) },
    { name: "a name in upper case", block: compressed(Buffer.from("00000001000000014100000000", "hex")) },
    { name: "a header of 17 KiB", block: compressed(header(Buffer.alloc(17 << 10, "x"))) },
    { name: "a header of a thousand empty values", block: compressed(header(Buffer.alloc(1_000))) },
    { name: "nothing", block: Buffer.alloc(0) },
  ];
  for (const { name, block } of broken)
    it(`refuse ${name}`, () => expect(() => new HeaderInflater().read(block)).toThrow(/./));
});

function adler32(bytes: Buffer): number {
  let a = 1;
  let b = 0;
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return b * 65_536 + a;
}
