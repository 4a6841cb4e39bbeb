import { describe, expect, it } from "vitest";
import { Budget } from "../budget.js";
import { runFilter } from "./evaluate.js";
import { parseFilter } from "./parse.js";

const data = {
  metadata: { labels: { "a.b/c": "yes" }, finalizers: ["x", "y"] },
  status: {
    phase: "Running",
    conditions: [
      { type: "Ready", status: "True" },
      { type: "Other", status: "False" },
    ],
    count: 3,
  },
};

const cases: { filter: string; found: unknown[] | undefined }[] = [
  { filter: ".", found: [data] },
  { filter: ".status.phase", found: ["Running"] },
  { filter: ".status.nothing.at.all", found: [] },
  { filter: '.metadata.labels["a.b/c"]', found: ["yes"] },
  { filter: '.metadata.labels."a.b/c"', found: ["yes"] },
  { filter: ".metadata.finalizers[]", found: ["x", "y"] },
  { filter: ".metadata.finalizers.[1]", found: ["y"] },
  { filter: ".metadata.finalizers[-1]", found: ["y"] },
  { filter: '.status.conditions.[] | select( .type == "Ready" ) | .status', found: ["True"] },
  {
    filter: '.status.conditions[] | select(.type != "Ready" and (.status == "False" or false)) | .type',
    found: ["Other"],
  },
  { filter: ".status.none.[]", found: undefined },
  { filter: ".status.none[]?", found: [] },
  { filter: ".status.phase.x", found: undefined },
  { filter: '.status.none // "d"', found: ["d"] },
  { filter: ".status.phase, .status.count", found: ["Running", 3] },
  { filter: ".metadata.finalizers | length", found: [2n] },
  { filter: ".status.count > 2", found: [true] },
  { filter: '[.status.conditions[].type] | contains(["Ready"])', found: [true] },
  { filter: '.status.conditions | any(.status == "True")', found: [true] },
  { filter: ".status.conditions | map(.type) | first", found: ["Ready"] },
  { filter: '.status.phase | startswith("Run") | not', found: [false] },
  { filter: '.status | has("phase")', found: [true] },
];

const refused: { filter: string; message: string }[] = [
  { filter: ".a = 1", message: '"=" is not supported here' },
  { filter: ".a + 1", message: '"+" is not supported here' },
  { filter: "$x", message: '"$" is not supported here' },
  { filter: "now", message: "function now/0 is not supported" },
  { filter: '"\\(.a)"', message: "string interpolation is not supported" },
  { filter: ".a[", message: "the expression ends too early" },
  { filter: ".a @", message: 'unexpected "@" at column 4' },
];

describe("jq", () => {
  for (const { filter, found } of cases)
    it(filter, () => expect(runFilter(parseFilter(filter), data, new Budget({}))).toEqual(found));
});
describe("jq refuses", () => {
  for (const { filter, message } of refused) it(filter, () => expect(() => parseFilter(filter)).toThrow(message));
});

const numbers = Array.from({ length: 2000 }, (_, i) => i);
const hostile: { name: string; filter: string; data?: unknown }[] = [
  { name: "values that double 22 times", filter: Array.from({ length: 22 }, () => "(.,.)").join(" | ") },
  { name: "all pairs of a list", filter: "[.[] == .[]]", data: numbers },
  { name: "a list in a list, item by item", filter: "contains([5000, 5001, 5002, 5003, 5004, 5005])", data: numbers },
  {
    name: "a large object, compared again and again",
    filter: "[.[] | . == .]",
    data: Array.from({ length: 100 }, () => ({ numbers })),
  },
  {
    name: "a long text, again and again",
    filter: "[.[] | ascii_downcase]",
    data: Array(200).fill("x".repeat(100_000)),
  },
];
describe("jq takes no more steps than its budget has", () => {
  for (const { name, filter, data: given = null } of hostile)
    it(name, () => {
      const budget = new Budget({ steps: 5000 });
      expect(() => runFilter(parseFilter(filter), given, budget)).toThrow("it takes more than 5000 steps");
    });
  it("an error inside of it is no reason to go on", () => {
    const filter = parseFilter(`(${Array.from({ length: 22 }, () => "(.,.)").join(" | ")})? // 1`);
    expect(() => runFilter(filter, null, new Budget({ steps: 5000 }))).toThrow("it takes more than 5000 steps");
  });
  for (const filter of [
    "(".repeat(5000) + "." + ")".repeat(5000),
    ".a".repeat(5000),
    Array(3000).fill(".").join("|"),
    "[".repeat(5000),
  ])
    it(`refuses what is nested too deeply: ${filter.slice(0, 10)}…`, () =>
      expect(() => parseFilter(filter)).toThrow("nested more than 100 levels deep"));
  it("refuses what is too long", () => expect(() => parseFilter(" ".repeat(20_000))).toThrow("longer than 16384"));
});
