import { describe, expect, it } from "vitest";
import { stringifyJson } from "./encode.js";
import { writeJsonBytes } from "./write-bytes.js";

const written = (value: unknown): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(writeJsonBytes(value));
const long = "x".repeat(100);

describe("JSON as bytes", () => {
  const cases: [name: string, value: unknown][] = [
    ["scalars", [null, true, false, 0, -0, 1, -7, 1.5, 1e21, 1e-7, Number.NaN, Number.POSITIVE_INFINITY]],
    ["numbers that are longer than a double's", { a: 12345678901234567890n }],
    ["nothing", undefined],
    ["members that are not there", { a: undefined, b: 1, c: undefined }],
    ["items that are not there", [undefined, 1]],
    ["nothing inside", { a: {}, b: [], c: "" }],
    ["members in their order", { b: 1, a: 2, 10: 3, 9: 4 }],
    ["members of any name", JSON.parse('{"__proto__":{"a":1},"constructor":2,"<":3,"ü":4}')],
    ["quotes and what escapes them", ['"', "\\", '\\"', `${long}"`, `${long}\\`]],
    ["what is not printed", ["\u0000", "\n\r\t\b\f", "\u001f", "\u007f", `${long}\u0000`, `${long}\n`]],
    ["markup", ["<a href='b'>&amp;</a>", `<${long}>`, `${long}&`]],
    ["line ends of scripts", ["\u2028", "\u2029", `${long}\u2028`, `${long}\u2029`, `${long}\u2027\u2026`]],
    [
      "other alphabets",
      ["äöü", "日本語", "😀", `${long}äöü`, `${long}日本語`, `${long}😀`, "\ufeff", `${long}\ufeff`, `${long}\ufffd`],
    ],
    ["halves of pairs", ["\ud800", "\udc00", "\ud800a", `${long}\ud800`, `${long}\udc00${long}`]],
    [
      "much",
      {
        a: ["y".repeat(100_000), "<".repeat(100_000), "日".repeat(100_000)],
        b: Array.from({ length: 10_000 }, (_, at) => ({ at })),
      },
    ],
  ];
  for (const [name, value] of cases)
    it(`${name}: is what the text is`, () => expect(written(value)).toBe(stringifyJson(value ?? null)));

  it("what was written before is not written to again", () => {
    const first = writeJsonBytes({ a: 1 });
    writeJsonBytes({ b: 2 });
    expect(new TextDecoder().decode(first)).toBe('{"a":1}');
  });
});
