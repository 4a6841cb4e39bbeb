import { describe, expect, it } from "vitest";
import {
  cloneJson,
  createDeepFreeze,
  deepFreeze,
  encodeJson,
  equalJson,
  scanHead,
  strictDecodingMessage,
  stringifyJson,
} from "./index.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("writing JSON", () => {
  const cases: { name: string; value: unknown; text: string }[] = [
    {
      name: "escapes what Go escapes",
      value: { a: "<&>\u2028\u2029" },
      text: String.raw`{"a":"\u003c\u0026\u003e\u2028\u2029"}`,
    },
    { name: "escapes keys alike", value: { "<": 1 }, text: String.raw`{"\u003c":1}` },
    {
      name: "control characters",
      value: '\u0000\b\t\n\f\r\u001f\u007f"\\',
      text: String.raw`"\u0000\b\t\n\f\r\u001f` + "\u007f" + String.raw`\"\\"`,
    },
    {
      name: "big integers",
      value: { a: [9223372036854775807n, -1n], b: "<" },
      text: String.raw`{"a":[9223372036854775807,-1],"b":"\u003c"}`,
    },
    {
      name: "floats as Go does",
      value: [1e21, 1e-7, 0.1, 100000000000000000000],
      text: "[1e+21,1e-7,0.1,100000000000000000000]",
    },
    { name: "undefined members are left out", value: { a: undefined, b: 1n }, text: '{"b":1}' },
  ];
  for (const c of cases) it(c.name, () => expect(new TextDecoder().decode(encodeJson(c.value))).toBe(c.text));
  it("indented, with and without big integers", () => {
    const value = { a: [1, { b: "x: {}" }], c: {}, d: [] };
    expect(stringifyJson(value, { pretty: true })).toBe(JSON.stringify(value, null, 2));
    expect(stringifyJson({ ...value, a: [1n, { b: "x: {}" }] }, { pretty: true })).toBe(JSON.stringify(value, null, 2));
  });
});

describe("copying and comparing", () => {
  const value = JSON.parse('{"a":[1,{"b":null}],"__proto__":{"x":1},"constructor":"c"}') as Record<string, unknown>;
  it("a copy is equal and shares nothing", () => {
    const copy = cloneJson(value);
    expect(Object.keys(copy)).toEqual(Object.keys(value));
    expect(equalJson(copy, value)).toBe(true);
    (copy.a as unknown[])[1] = 2;
    expect(equalJson(copy, value)).toBe(false);
  });
  const pairs: [unknown, unknown, boolean][] = [
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: 1 }, { a: 1, b: null }, false],
    [{ a: null }, {}, false],
    [{ constructor: 1 }, {}, false],
    [{}, { toString: 1 }, false],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [1, "1", false],
    [null, {}, false],
    [1n, 1n, true],
  ];
  for (const [a, b, same] of pairs)
    it(`${stringifyJson(a)} ${same ? "is" : "is not"} ${stringifyJson(b)}`, () => expect(equalJson(a, b)).toBe(same));
  it("freezing goes all the way down, if it is switched on", () => {
    const frozen = deepFreeze(cloneJson(value));
    expect(() => (frozen.a as unknown[]).push(1)).toThrow(TypeError);
    expect(Object.isFrozen(createDeepFreeze(false)({ a: 1 }))).toBe(false);
    expect(Object.isFrozen(createDeepFreeze(true)({ a: 1 }))).toBe(true);
  });
});

describe("the head of an object", () => {
  const cases = [
    {
      name: "in any order, with blanks",
      text: ` {"spec":{"kind":"no"}, "metadata" : {"labels":{"name":"no"},"name":"a\\u0062","namespace":"ns"},\n"kind":"Pod","apiVersion":"v1"}`,
      head: ["v1", "Pod", "ab", "ns"],
    },
    { name: "the last of duplicates", text: `{"kind":"A","kind":"B"}`, head: ["", "B", "", ""] },
    {
      name: "what is no text is not there",
      text: `{"kind":5,"apiVersion":null,"metadata":[]}`,
      head: ["", "", "", ""],
    },
    { name: "of malformed text, what came before", text: `{"kind":"Pod","apiVersion":`, head: ["", "Pod", "", ""] },
    { name: "nothing", text: "", head: ["", "", "", ""] },
  ];
  for (const c of cases) it(c.name, () => expect(Object.values(scanHead(bytes(c.text)))).toEqual(c.head));
});

it("strict errors are joined as upstream joins them", () =>
  expect(strictDecodingMessage(['unknown field "a"', 'duplicate field "b"'])).toBe(
    'strict decoding error: unknown field "a", duplicate field "b"',
  ));
