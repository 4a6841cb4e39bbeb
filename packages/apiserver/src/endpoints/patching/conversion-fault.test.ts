import { builtInTypes } from "@coxswain/api/tables";
import { describe, expect, it } from "vitest";
import { conversionFault } from "./conversion-fault.js";

const pod = builtInTypes.get("io.k8s.api.core.v1.Pod");
const cases = [
  { name: "a number for a text", value: { metadata: { name: 1 } }, fault: "cannot convert int64 to string" },
  { name: "a fraction for a text", value: { metadata: { name: 1.5 } }, fault: "unrecognized type: string" },
  { name: "a truth for a text", value: { metadata: { labels: { a: true } } }, fault: "unrecognized type: string" },
  { name: "a text for a number", value: { spec: { priority: "1" } }, fault: "unrecognized type: int32" },
  { name: "a fraction for a number", value: { spec: { priority: 1.5 } }, fault: "cannot convert float64 to int32" },
  { name: "a list for a struct", value: { spec: [] }, fault: "cannot restore struct from: slice" },
  { name: "a text for a list", value: { spec: { containers: "x" } }, fault: "cannot restore slice from string" },
  { name: "a number for a map", value: { metadata: { labels: 1 } }, fault: "cannot restore map from int64" },
  { name: "what fits", value: { metadata: { name: "a" }, spec: { containers: [{ name: "c" }] } }, fault: undefined },
];

describe("what does not convert", () => {
  for (const { name, value, fault } of cases) it(name, () => expect(conversionFault(value, pod)).toBe(fault));
});
