import { expect, it } from "vitest";
import { rangeFrom, rangeOfPrefix } from "./key-range.js";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const cases = [
  { prefix: "", key: "\u0000", end: "00" },
  { prefix: "/a", key: "/a", end: "2f62" },
  { prefix: "/registry/", key: "/registry/", end: "2f72656769737472 7930" },
  { prefix: "\u007f", key: "\u007f", end: "80" },
  { prefix: "/\u{10ffff}", key: "/\u{10ffff}", end: "2ff48fbfc0" },
];
for (const { prefix, key, end } of cases) {
  it(`the keys that begin with ${JSON.stringify(prefix)}`, () => {
    const range = rangeOfPrefix(prefix);
    expect([range.key, hex(range.rangeEnd)]).toEqual([key, end.replace(" ", "")]);
  });
}

const starts = [
  { start: undefined, key: "/b/" },
  { start: "/a", key: "/b/" },
  { start: "/b/c", key: "/b/c" },
  { start: "/z", key: "/z" },
  // By bytes U+FFFF comes before U+10000; by UTF-16 units it would come after.
  { start: "/b/\u{10000}", key: "/b/\u{10000}" },
];
for (const { start, key } of starts)
  it(`from ${JSON.stringify(start)}`, () => expect(rangeFrom("/b/", start).key).toBe(key));
