import { describe, expect, it } from "vitest";
import { cloneJson } from "./clone.js";
import { hasWholeFloats, noteWholeFloats, wholeFloatsIn } from "./whole-floats.js";

describe("floats that are whole numbers", () => {
  const rows = [
    { name: "an integer is none", text: '{"a":5}', places: [] },
    { name: "a fraction is none", text: '{"a":5.5}', places: [] },
    { name: "a point makes one", text: '{"a":5.0}', places: [["a"]] },
    { name: "an exponent makes one", text: '{"a":[1,5e0]}', places: [["a", 1]] },
    { name: "one that is stored with its exponent is none", text: '{"a":1e21}', places: [] },
    { name: "text is none", text: '{"a":"5.0"}', places: [] },
  ];
  for (const { name, text, places } of rows)
    it(name, () => expect(wholeFloatsIn(new TextEncoder().encode(text))).toEqual(places));

  const noted = (object: object): object => {
    noteWholeFloats(object, [["spec", "a", 0]]);
    return object;
  };
  const objects = [
    { name: "is found", object: noted({ spec: { a: [5] } }), has: true },
    { name: "is kept by a copy", object: cloneJson(noted({ spec: { a: [5] } })), has: true },
    { name: "is kept by spreading", object: { ...noted({ spec: { a: [5] } }) }, has: true },
    { name: "that was pruned is gone", object: noted({ spec: {} }), has: false },
    { name: "of an object without a note is unknown", object: { spec: { a: [5] } }, has: false },
  ];
  for (const { name, object, has } of objects)
    it(`one ${name}`, () => expect(hasWholeFloats(object, ["metadata"])).toBe(has));
  it("one in a member that does not count is not found", () =>
    expect(hasWholeFloats(noted({ spec: { a: [5] } }), ["spec"])).toBe(false));
});
