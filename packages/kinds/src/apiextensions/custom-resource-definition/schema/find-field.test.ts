import { describe, expect, it } from "vitest";
import { findField } from "./find-field.js";

const schema = {
  type: "object",
  properties: { spec: { type: "object", properties: { "a.b": { type: "string" }, "it's": { type: "string" } } } },
} as const;

describe("the field that a path leads to", () => {
  const cases = [
    { path: ".spec", found: ".spec" },
    { path: ".spec['a.b']", found: ".spec.a.b" },
    { path: ".spec['it\\'s']", found: ".spec.it's" },
  ];
  for (const { path, found } of cases) it(path, () => expect(findField(path, schema).path).toBe(found));

  const refused = [
    { path: "spec", message: "expected [ or . but got: spec" },
    { path: ".spec['a.b'", message: "unexpected end of JSON path" },
    { path: ".spec['a", message: "expected single quoted string but got 'a" },
    { path: ".spec[a]", message: "expected single quoted string but got a" },
  ];
  for (const { path, message } of refused) it(path, () => expect(() => findField(path, schema)).toThrow(message));

  it("a long text of escaped quotes that is never closed is read in linear time", () =>
    expect(() => findField(`.spec[${"'\\".repeat(200_000)}`, schema)).toThrow("single quoted string"));
});
