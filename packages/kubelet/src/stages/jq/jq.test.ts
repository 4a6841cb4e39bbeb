import { describe, expect, it } from "vitest";
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
  for (const { filter, found } of cases) it(filter, () => expect(runFilter(parseFilter(filter), data)).toEqual(found));
});
describe("jq refuses", () => {
  for (const { filter, message } of refused) it(filter, () => expect(() => parseFilter(filter)).toThrow(message));
});
