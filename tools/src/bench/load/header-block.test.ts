import { describe, expect, it } from "vitest";
import { decodeStatus, encodeHeaders } from "./header-block.js";

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");

describe("decodeStatus", () => {
  const cases = [
    { name: "200 from the static table", block: "88", status: 200 },
    { name: "404 from the static table, after the table's size was set to zero", block: "20 8d", status: 404 },
    { name: "201, Huffman-coded, not indexed", block: "08 82 10 03", status: 201 },
    { name: "201, Huffman-coded, to be indexed", block: "48 82 10 03", status: 201 },
    { name: "302, the example of RFC 7541", block: "48 82 64 02", status: 302 },
    { name: "409 in plain text", block: "08 03 34 30 39", status: 409 },
    { name: "429, Huffman-coded", block: "08 83 68 4f ff", status: 429 },
    { name: "something that is no status", block: "82", status: 0 },
  ];
  for (const c of cases) it(c.name, () => expect(decodeStatus(hex(c.block), 0)).toBe(c.status));

  it("skips padding length and priority", () => {
    expect(decodeStatus(hex("02 00000000 10 88 00 00"), 0x28)).toBe(200);
  });
});

describe("encodeHeaders", () => {
  it("uses indexed names where there are any and never the dynamic table", () => {
    expect(
      encodeHeaders([
        [":method", "GET"],
        ["a", "b"],
      ]).toString("hex"),
    ).toBe("02034745540001610162");
  });

  it("writes lengths over 126 in several bytes", () => {
    expect(
      encodeHeaders([["a", "x".repeat(300)]])
        .subarray(0, 6)
        .toString("hex"),
    ).toBe("0001617fad01");
  });
});
