import { describe, expect, it } from "vitest";
import type { Header } from "./header.js";
import { HpackDecoder } from "./hpack-decoder.js";
import { encodeHeaders } from "./hpack-encoder.js";
import { huffmanLengths, staticTable } from "./hpack-tables.js";
import { decodeHuffman } from "./huffman.js";

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(" ", ""), "hex");
const text = (headers: readonly Header[]): string[] => headers.map(([name, value]) => `${name}: ${value}`);

describe("HPACK", () => {
  // RFC 7541, appendix C: blocks on one connection, each referring to those before.
  const connections = [
    {
      name: "literals and indexes (C.2)",
      blocks: [
        { hex: "400a637573746f6d2d6b65790d637573746f6d2d686561646572", headers: ["custom-key: custom-header"] },
        { hex: "040c2f73616d706c652f70617468", headers: [":path: /sample/path"] },
        { hex: "100870617373776f726406736563726574", headers: ["password: secret"] },
        { hex: "82", headers: [":method: GET"] },
      ],
    },
    {
      name: "requests, compressed (C.4)",
      blocks: [
        {
          hex: "828684418cf1e3c2e5f23a6ba0ab90f4ff",
          headers: [":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com"],
        },
        {
          hex: "828684be5886a8eb10649cbf",
          headers: [
            ":method: GET",
            ":scheme: http",
            ":path: /",
            ":authority: www.example.com",
            "cache-control: no-cache",
          ],
        },
        {
          hex: "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf",
          headers: [
            ":method: GET",
            ":scheme: https",
            ":path: /index.html",
            ":authority: www.example.com",
            "custom-key: custom-value",
          ],
        },
      ],
    },
  ];
  for (const { name, blocks } of connections) {
    it(`reads ${name}`, () => {
      const decoder = new HpackDecoder(256 * 1024);
      for (const { hex, headers } of blocks) expect(text(decoder.decode(bytes(hex)) ?? [])).toEqual(headers);
    });
  }

  it("evicts entries that no longer fit (RFC 7541, C.6, a table of 256 bytes)", () => {
    const decoder = new HpackDecoder(256 * 1024);
    // The table is made smaller first, as an encoder would announce.
    decoder.decode(
      bytes(
        "3fe101 488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3",
      ),
    );
    expect(text(decoder.decode(bytes("4883640effc1c0bf")) ?? [])).toEqual([
      ":status: 307",
      "cache-control: private",
      "date: Mon, 21 Oct 2013 20:13:21 GMT",
      "location: https://www.example.com",
    ]);
    expect(() => decoder.decode(bytes("c2"))).toThrow("index 66 is not in the table");
  });

  it("decodes what it encodes", () => {
    const headers: Header[] = [
      [":method", "POST"],
      [":scheme", "http"],
      [":path", "/a.B/C"],
      [":authority", "127.0.0.1:2379"],
      ["te", "trailers"],
      ["grpc-timeout", "10000m"],
      ["x", "y".repeat(1000)],
      ["empty", ""],
    ];
    expect(new HpackDecoder(256 * 1024).decode(encodeHeaders(headers))).toEqual(headers);
    expect(
      new HpackDecoder(256 * 1024).decode(
        Buffer.concat([encodeHeaders(headers.slice(0, 3)), encodeHeaders(headers.slice(3))]),
      ),
    ).toEqual(headers);
  });

  it("decodes repeated long strings, and others of the same length", () => {
    const decoder = new HpackDecoder(256 * 1024);
    for (const value of ["a".repeat(300), "a".repeat(300), `${"a".repeat(299)}b`, "a".repeat(300)])
      expect(decoder.decode(encodeHeaders([["authorization", value]]))).toEqual([["authorization", value]]);
  });

  it("has complete tables", () => {
    expect([staticTable.length, staticTable[7], staticTable[60]?.[0]]).toEqual([
      61,
      [":status", "200"],
      "www-authenticate",
    ]);
    // A complete code: the lengths' shares add up to one.
    expect([...huffmanLengths].reduce((sum, digit) => sum + 2 ** -Number.parseInt(digit, 36), 0)).toBe(1);
    expect(huffmanLengths.length).toBe(257);
    expect(decodeHuffman(bytes("9d29ad171863c78f0b97c8e9ae82ae43d3"))).toBe("https://www.example.com");
  });

  const broken = [
    { name: "an index of nothing", hex: "80" },
    { name: "an index beyond the tables", hex: "ff00" },
    { name: "a string beyond the end", hex: "400a6375" },
    { name: "an endless number", hex: "ffffffffffffffff" },
    { name: "a table larger than agreed", hex: "3fe13f 82" },
    { name: "a change of the table after a header", hex: "82 20" },
    { name: "padding of more than seven bits", hex: "4081ff 00" },
    { name: "padding with a zero", hex: "40 82 f1e2 00" },
  ];
  for (const { name, hex } of broken)
    it(`refuses ${name}`, () => expect(() => new HpackDecoder(256 * 1024).decode(bytes(hex))).toThrow(/./));

  it("limits the header list, and decodes the blocks that follow", () => {
    const decoder = new HpackDecoder(256 * 1024);
    expect(decoder.decode(bytes(`40 01 61 7f ff 7f ${"61".repeat(16_510)}`.repeat(20)))).toBeUndefined();
    expect(decoder.decode(bytes(`40 01 62 01 63 ${"be".repeat(100_000)}`))).toBeUndefined();
    expect(decoder.decode(bytes("be"))).toEqual([["b", "c"]]);
  });
});
