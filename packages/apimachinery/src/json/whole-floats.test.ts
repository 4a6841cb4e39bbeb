import { describe, expect, it } from "vitest";
import { cloneJson } from "./clone.js";
import { maxDepth } from "./depth.js";
import { hasWholeFloats, noteSentText } from "./whole-floats.js";

const sent = <T extends object>(text: string, object: T): T => {
  noteSentText(object, { bytes: new TextEncoder().encode(text), locate: (made) => made });
  return object;
};

const parsed = (text: string): object => sent(text, JSON.parse(text) as object);

describe("floats that are whole numbers", () => {
  const rows = [
    { name: "an integer is none", text: '{"a":5}', has: false },
    { name: "a fraction is none", text: '{"a":5.5}', has: false },
    { name: "a point makes one", text: '{"a":5.0}', has: true },
    { name: "a negative one is one", text: '{"a":-5.0}', has: true },
    { name: "an exponent makes one", text: '{"a":[1,5e0]}', has: true },
    { name: "one that is stored with its exponent is none", text: '{"a":1e21}', has: false },
    { name: "text is none", text: '{"a":"5.0","5.0":1}', has: false },
    { name: "names may be escaped", text: '{"\\u0061\\"":{"b":[{},[0,5.0]]}}', has: true },
    { name: "blanks do not matter", text: '{ "x" : [ ] , "a" : [ 1 , { "b" : 5.0 } ] }', has: true },
  ];
  for (const { name, text, has } of rows) it(name, () => expect(hasWholeFloats(parsed(text))).toBe(has));

  const text = '{"spec":{"a":[1,5.0]}}';
  const objects = [
    { name: "is kept by a copy", object: cloneJson(parsed(text)), has: true },
    { name: "is kept by spreading", object: { ...parsed(text) }, has: true },
    { name: "that was pruned is gone", object: sent(text, { spec: {} }), has: false },
    { name: "that is something else now is gone", object: sent(text, { spec: { a: { 1: 5 } } }), has: false },
    { name: "of an object that was not noted is unknown", object: { spec: { a: [1, 5] } }, has: false },
  ];
  for (const { name, object, has } of objects) it(`one ${name}`, () => expect(hasWholeFloats(object)).toBe(has));

  it("many of them, far down and pruned, take no memory of their own", () => {
    const lists = maxDepth - 1;
    const many = `{"a":${"[".repeat(lists)}${"1.0,".repeat(500_000)}1.0${"]".repeat(lists)}}`;
    expect(hasWholeFloats(parsed(many))).toBe(true);
    expect(hasWholeFloats(sent(many, {}))).toBe(false);
  });
});
