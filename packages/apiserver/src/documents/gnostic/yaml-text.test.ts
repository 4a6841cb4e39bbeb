import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { yamlText } from "./yaml-text.js";

// What gnostic-models v0.7.0 made of each value as a vendor extension; a throw-away Go program printed it.
const likeUpstream: [unknown, string][] = [
  ["", '""\n'],
  ["a", "a\n"],
  ["v1", "v1\n"],
  ["true", '"true"\n'],
  ["~", '"~"\n'],
  ["Null", '"Null"\n'],
  ["null2", "null2\n"],
  ["1", '"1"\n'],
  ["1.0", '"1.0"\n'],
  ["0x10", '"0x10"\n'],
  ["0o7", '"0o7"\n'],
  ["1e3", '"1e3"\n'],
  ["+1", '"+1"\n'],
  ["1_000", '"1_000"\n'],
  ["_1", "_1\n"],
  [".inf", '".inf"\n'],
  ["NaN", "NaN\n"],
  ["2006-01-02", '"2006-01-02"\n'],
  ["12:30:45", "12:30:45\n"],
  ["yes", "yes\n"],
  ["*", "'*'\n"],
  ["-", "'-'\n"],
  ["- a", "'- a'\n"],
  ["a: b", "'a: b'\n"],
  ["a:b", "a:b\n"],
  ["a:", "'a:'\n"],
  ["#a", "'#a'\n"],
  ["a #b", "'a #b'\n"],
  ["it's", "it's\n"],
  ['"q"', "'\"q\"'\n"],
  ["{a}", "'{a}'\n"],
  ["a, b", "a, b\n"],
  ["@a", "'@a'\n"],
  ["? a", "'? a'\n"],
  [" a", "' a'\n"],
  ["self.all(x, x != 'a')", "self.all(x, x != 'a')\n"],
  ["tab\there", '"tab\\there"\n'],
  ["é: x", "'é: x'\n"],
  [true, "true\n"],
  [null, "null\n"],
  [1.5, "1.5\n"],
  [[], "[]\n"],
  [{}, "{}\n"],
  [["a", "b"], "- a\n- b\n"],
  [[["a"], ["b", "c"]], "- - a\n- - b\n  - c\n"],
  [[{ a: 1, b: ["x"] }, { c: {} }], "- a: 1\n  b:\n    - x\n- c: {}\n"],
  [{ a: [], b: { c: { d: "e" } }, "": "x", true: "z" }, 'a: []\nb:\n    c:\n        d: e\n"": x\n"true": z\n'],
  [{ rule: "self.a == 'b'", message: "a: b" }, "rule: self.a == 'b'\nmessage: 'a: b'\n"],
];

describe("yamlText", () => {
  for (const [value, text] of likeUpstream)
    it(`writes ${JSON.stringify(value)} as upstream does`, () => assert.equal(yamlText(value), text));
  it("quotes what upstream writes as a block", () => assert.equal(yamlText("a\nb"), '"a\\nb"\n'));
  it("escapes what YAML does not print", () => assert.equal(yamlText("\u007f\u2028"), '"\\u007f\\u2028"\n'));
});
