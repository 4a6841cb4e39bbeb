import { jsonToValue } from "../kubernetes/json-value.js";
import { boolType, doubleType, dynType, intType, listType, mapType, stringType } from "../types/type.js";
import { Double, type Value } from "../values/value.js";

/** What expressions can use in the answers of tools/answers/cel. */
export const variables = {
  i: intType,
  s: stringType,
  d: doubleType,
  b: boolType,
  l: listType(intType),
  ls: listType(stringType),
  m: mapType(stringType, stringType),
  y: dynType,
};

export const bindings = new Map<string, Value>([
  ["i", 5],
  ["s", "hello wörld"],
  ["d", new Double(2.5)],
  ["b", true],
  ["l", jsonToValue([3, 1, 2])],
  ["ls", jsonToValue(["b", "a", "c", "a"])],
  ["m", jsonToValue({ a: "x", b: "y" })],
  ["y", jsonToValue({ int: 7, text: "abc", list: [1, "two", 3.5], map: { k: "v" }, none: null, yes: true })],
]);
