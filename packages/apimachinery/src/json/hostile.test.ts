import { describe, expect, it } from "vitest";
import { createNode, createTypeRegistry, typeCodes } from "../schema/index.js";
import { DecodeError, decodeJson, decodeParsed, maxDepth, parseJson } from "./index.js";

const registry = createTypeRegistry([
  "@t.v1\n=Thing\nkind s 1 o\napiVersion s 2 o\ncount *l 3 o\nlabels {}s 4 o\nany *J 5 o\nself *Thing 6 o\nwait *D 7 o\nsize Q 8 o\ndata y 9 o\nlist []*Thing 10 o\n",
]);
const thing = registry.get("t.v1.Thing");
const open = createNode(typeCodes.struct, "t.v1.Open");
open.preserveUnknown = true;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const million = 1_000_000;

/** Whatever comes of it must come before the test's time is up; a DecodeError is fine, anything else is not. */
function survive(input: Uint8Array): unknown {
  try {
    return [thing, open].map((node) => decodeJson(input, node, { strict: true }).object)[0];
  } catch (err) {
    if (err instanceof DecodeError) return err.message;
    throw err;
  }
}

describe("hostile JSON ends soon, and well", () => {
  it("deep objects", () => expect(survive(bytes('{"self":'.repeat(million)))).toContain("exceeded max depth"));
  it("deep lists", () => expect(survive(bytes(`{"any":${"[".repeat(million)}`))).toContain("exceeded max depth"));
  it("as deep as allowed", () =>
    expect(survive(bytes(`${'{"self":'.repeat(maxDepth - 1)}{}${"}".repeat(maxDepth - 1)}`))).toHaveProperty("self"));
  it("as deep as allowed without a type", () =>
    expect(survive(bytes(`{"any":${"[".repeat(maxDepth - 1)}${"]".repeat(maxDepth - 1)}}`))).toHaveProperty("any"));
  it("a number of a million digits", () =>
    expect(survive(bytes(`{"count":${"9".repeat(million)}}`))).toContain("json: cannot unmarshal number 999"));
  it("a huge number without a type", () =>
    expect(survive(bytes(`{"any":1${"0".repeat(million)}}`))).toContain("of type float64"));
  it("a huge exponent", () => expect(survive(bytes(`{"any":1e${"9".repeat(million)}}`))).toContain("of type float64"));
  it("a quantity of a million digits", () => survive(bytes(`{"size":"${"9".repeat(million)}"}`)));
  it("a duration without end", () => survive(bytes(`{"wait":"${"0h".repeat(million / 2)}"}`)));
  it("base64 that is none", () =>
    expect(survive(bytes(`{"data":"${"A".repeat(million)}!"}`))).toContain(
      "illegal base64 data at input byte 1000000",
    ));
  it("a million bytes that are no UTF-8", () =>
    expect(
      survive(Uint8Array.from([...bytes('{"kind":"'), ...Array.from({ length: million }, () => 0xff), ...bytes('"}')])),
    ).toHaveProperty("kind"));
  it("duplicates without end", () =>
    expect(survive(bytes(`{${'"kind":"a",'.repeat(million / 10)}"kind":"b"}`))).toHaveProperty("kind", "b"));
  it("unknown fields without end", () => {
    const fields = Array.from({ length: million / 20 }, (_, at) => `"x${at}":1`).join(",");
    expect(decodeJson(bytes(`{${fields}}`), thing, { strict: true }).warnings).toHaveLength(100);
  });
  it("keys that look like numbers", () =>
    survive(bytes(`{"labels":{${Array.from({ length: 50_000 }, (_, at) => `"${at * 7919}":"x"`).join(",")}}}`)));
  it("escapes without end", () => survive(bytes(`{"kind":"${"\\ud800".repeat(million / 6)}"}`)));
});

describe("members named like JavaScript's own", () => {
  const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "__defineGetter__"];
  for (const name of names) {
    it(`${name} as a label, an unknown field, a key of free data and of a custom resource`, () => {
      const text = `{"labels":{"${name}":"x"},"${name}":{"polluted":1},"any":{"${name}":{"polluted":1}}}`;
      const decoded = decodeJson(bytes(text), thing, { strict: true });
      const object = decoded.object as { labels: object; any: object };
      expect(decoded.warnings).toEqual([`unknown field "${name}"`]);
      expect(Object.keys(object)).not.toContain(name);
      expect(Object.entries(object.labels)).toEqual([[name, "x"]]);
      expect(Object.entries(object.any)).toEqual([[name, { polluted: 1 }]]);
      expect(Object.keys(decodeJson(bytes(text), open).object as object)).toContain(name);
      for (const value of [object, object.labels, object.any])
        expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(({} as { polluted?: number }).polluted).toBeUndefined();
    });
    it(`${name} twice`, () =>
      expect(decodeJson(bytes(`{"labels":{"${name}":"x","${name}":"y"}}`), thing, { strict: true })).toEqual({
        object: expect.objectContaining({ labels: expect.anything() }) as unknown,
        warnings: [`duplicate field "labels.${name}"`],
      }));
  }
});

describe("what only the exact decoder reads is read in steps between which others run", () => {
  const members = Array.from({ length: 10_000 }, (_, at) => `"k${at}":1`).join();
  const rows = [
    { name: "unknown members", text: `{${members}}` },
    { name: "a list where an object is expected", text: `[${"null,".repeat(20_000)}null]` },
    {
      name: "a list of lists, beside a member that is there twice",
      text: `{"kind":"a","kind":"b","any":[${"[],".repeat(40_000)}1]}`,
    },
  ];
  for (const { name, text } of rows)
    it(name, () => {
      const body = bytes(text);
      const decoding = decodeParsed(parseJson(body), body, thing, { strict: true });
      let steps = 0;
      try {
        while (!decoding.next().done) steps++;
      } catch (err) {
        if (!(err instanceof DecodeError)) throw err;
      }
      expect(steps).toBeGreaterThan(body.length / 8192);
    });
});
