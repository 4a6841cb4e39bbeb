import { expect, it } from "vitest";
import { applyDefaults } from "./default.js";
import { readStructural } from "./structural.js";
import { validateValue } from "./validate-value.js";
import { readValueSchema } from "./value-schema.js";

const times = <T>(n: number, make: (at: number) => T): T[] => Array.from({ length: n }, (_, at) => make(at));

it("a list whose items miss thousands of members has a limited number of faults", () => {
  const item = { type: "object", required: times(1_000, (at) => `m${at}`) };
  const schema = readValueSchema({ type: "object", properties: { l: { type: "array", items: item } } }, "resource");
  const errors = validateValue({ l: times(10_000, () => ({})) }, schema);
  expect(errors).toHaveLength(10_001);
  expect(errors.at(-1)?.detail).toBe("more than 10000 errors: the rest was not checked");
});

it("members are checked in the schema's order, however many properties it has", () => {
  const properties = Object.fromEntries(times(1_000, (at) => [`p${at}`, { type: "string" }]));
  const schema = readValueSchema({ type: "object", properties }, "resource");
  const errors = validateValue({ p900: 1, p5: 2, other: 3, p70: 4 }, schema);
  expect(errors.map(({ field }) => String(field))).toEqual(["p5", "p70", "p900"]);
});

it("defaults that would fill the memory are refused", () => {
  const item = { type: "object", properties: { a: { type: "string", default: "x".repeat(100) } } };
  const schema = readStructural({ type: "object", properties: { l: { type: "array", items: item } } });
  const filled = applyDefaults({ l: [{}, {}] }, schema);
  expect(filled).toEqual({ l: [{ a: "x".repeat(100) }, { a: "x".repeat(100) }] });
  expect(() => applyDefaults({ l: times(50_000, () => ({})) }, schema)).toThrow("larger than 4194304 bytes");
});

it("properties without defaults cost nothing, however many objects there are", () => {
  let looks = 0;
  const counted = readStructural({ type: "object", properties: { a: { type: "string" } } });
  const properties = new Map(counted.properties);
  const entries = properties[Symbol.iterator].bind(properties);
  properties[Symbol.iterator] = () => ((looks += 1), entries());
  applyDefaults(
    { l: times(100, () => ({})) },
    { ...readStructural({}), additionalProperties: { ...readStructural({}), items: { ...counted, properties } } },
  );
  expect(looks).toBe(1);
});
