import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { encodeMessage } from "./encode-message.js";
import { parseMessageTable } from "./message-table.js";

const table = parseMessageTable(`
=Thing
name 1 s
big 2 l
size 3 d
on 4 b
words 5 s[]
any 6 any
part 7 Part
parts 8 Part[]
x- 9 any{}
* 10 s{}
=Part
id 1 l
?Either
boolean 2 b
kind=a 3 Part
else 1 Part
~Words
value 1 s[]
=Holder
either 1 Either
words 2 Words
`);
const hex = (name: string, value: unknown): string => Buffer.from(encodeMessage(table, name, value)).toString("hex");

describe("encodeMessage", () => {
  const cases = [
    { name: "nothing", message: "Thing", value: {}, want: "" },
    { name: "zero values are left out", message: "Thing", value: { name: "", big: 0, size: 0, on: false }, want: "" },
    {
      name: "scalars in the order of their numbers",
      message: "Thing",
      value: { on: true, name: "a", big: 300, size: 1 },
      want: "0a016110ac0219000000000000f03f2001",
    },
    {
      name: "lists keep empty texts and their order",
      message: "Thing",
      value: { words: ["", "b"] },
      want: "2a002a0162",
    },
    { name: "any value as YAML", message: "Thing", value: { any: "a" }, want: "32041202610a" },
    {
      name: "messages, also empty ones",
      message: "Thing",
      value: { part: {}, parts: [{ id: 1 }, {}] },
      want: "3a00420208014200",
    },
    {
      name: "extensions and other members as maps",
      message: "Thing",
      value: { "x-a": 1, b: "c" },
      want: "4a0b0a03782d6112041202310a52060a0162120163",
    },
    { name: "a choice by type", message: "Holder", value: { either: true }, want: "0a021001" },
    { name: "a choice keeps what is zero", message: "Holder", value: { either: false }, want: "0a021000" },
    {
      name: "a choice by a member's value",
      message: "Holder",
      value: { either: { kind: "a", id: 1 } },
      want: "0a041a020801",
    },
    { name: "a choice of the rest", message: "Holder", value: { either: { id: 1 } }, want: "0a040a020801" },
    { name: "one value where a list is meant", message: "Holder", value: { words: "a" }, want: "12030a0161" },
  ];
  for (const c of cases) it(c.name, () => assert.equal(hex(c.message, c.value), c.want));
  it("grows with what is written", () => {
    const text = "é".repeat(100_000);
    const bytes = encodeMessage(table, "Thing", { name: text });
    assert.equal(Buffer.from(bytes.subarray(4)).toString(), text);
  });
});
