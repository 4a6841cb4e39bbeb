import { describe, expect, it } from "vitest";
import { indentJson } from "./indent-json.js";

describe("indentJson", () => {
  const cases = [
    {
      name: "members in their order",
      text: '{"kind":"List","apiVersion":"v1","1":2}',
      indented: '{\n  "kind": "List",\n  "apiVersion": "v1",\n  "1": 2\n}',
    },
    { name: "what is empty", text: '{"metadata":{},"items":[]}\n', indented: '{\n  "metadata": {},\n  "items": []\n}' },
    {
      name: "lists and nesting",
      text: '[[1,2],{"a":[{}]}]',
      indented: '[\n  [\n    1,\n    2\n  ],\n  {\n    "a": [\n      {}\n    ]\n  }\n]',
    },
    { name: "marks in strings", text: '{"a\\"{":"[,:]\\\\"}', indented: '{\n  "a\\"{": "[,:]\\\\"\n}' },
    {
      name: "numbers as they are",
      text: '{"a":12345678901234567890,"b":-1e5,"c":null}',
      indented: '{\n  "a": 12345678901234567890,\n  "b": -1e5,\n  "c": null\n}',
    },
    { name: "no object at all", text: '"x"', indented: '"x"' },
  ];
  for (const { name, text, indented } of cases) it(name, () => expect(indentJson(text)).toBe(indented));
});
