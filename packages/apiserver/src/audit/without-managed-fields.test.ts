import { describe, expect, it } from "vitest";
import { textWithoutManagedFields } from "./without-managed-fields.js";

describe("without managed fields", () => {
  const cases = [
    {
      name: "an object",
      text: '{"kind":"A","metadata":{"name":"a","managedFields":[{"manager":"m"}]},"spec":{"managedFields":1}}',
      left: '{"kind":"A","metadata":{"name":"a"},"spec":{"managedFields":1}}',
    },
    {
      name: "a list and its items",
      text: '{"kind":"AList","metadata":{},"items":[{"metadata":{"managedFields":[]}},{}]}',
      left: '{"kind":"AList","metadata":{},"items":[{"metadata":{}},{}]}',
    },
    {
      name: "a table and the objects in it",
      text: '{"kind":"Table","rows":[{"cells":[],"object":{"metadata":{"managedFields":[]}}},{"object":null}]}',
      left: '{"kind":"Table","rows":[{"cells":[],"object":{"metadata":{}}},{"object":null}]}',
    },
    {
      name: "and every digit kept",
      text: '{"spec":{"number":9007199254740993,"small":0.1}}',
      left: '{"spec":{"number":9007199254740993,"small":0.1}}',
    },
    { name: "something else", text: "[1]", left: "[1]" },
  ];
  for (const { name, text, left } of cases) it(name, () => expect(textWithoutManagedFields(text)).toBe(left));
});
