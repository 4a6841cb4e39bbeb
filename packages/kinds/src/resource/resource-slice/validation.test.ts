import { fieldErrorText } from "@coxswain/apimachinery/field";
import { walk } from "@coxswain/apimachinery/json";
import { describe, expect, it } from "vitest";
import { resourceSliceKind } from "./kind.js";
import type { StoredResourceSlice } from "./stored.js";
import { checkResourceSlice } from "./validation.js";

const read = (spec: object): StoredResourceSlice => {
  const pool = { name: "p", generation: 1, resourceSliceCount: 1 };
  const sent = { metadata: { name: "s" }, spec: { driver: "d.example.com", nodeName: "n", pool, ...spec } };
  return walk(sent, resourceSliceKind.schema) as StoredResourceSlice;
};
const device = { name: "gpu" };
const both = 'spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed';
const needed = "are required to use";

describe("a ResourceSlice in which a list was sent empty", () => {
  const rows: { name: string; spec: object; errors: string[] }[] = [
    { name: "devices alone are accepted", spec: { devices: [device] }, errors: [] },
    {
      name: "sharedCounters: [] beside devices is refused: to Go both are there",
      spec: { devices: [device], sharedCounters: [] },
      errors: [both],
    },
    {
      name: "devices: [] beside sharedCounters is refused",
      spec: { devices: [], sharedCounters: [{ name: "c", counters: { a: { value: "1" } } }] },
      errors: [both],
    },
    {
      name: "bindingConditions: [] is printed as it was sent",
      spec: { devices: [{ ...device, bindingConditions: [], bindingFailureConditions: ["a"] }] },
      errors: [
        `spec.devices[0].bindingConditions: Invalid value: []: bindingConditions ${needed} bindingFailureConditions`,
      ],
    },
    {
      name: "bindingFailureConditions that were not sent are null",
      spec: { devices: [{ ...device, bindingConditions: ["a"] }] },
      errors: [
        `spec.devices[0].bindingFailureConditions: Invalid value: null: bindingFailureConditions ${needed} bindingConditions`,
      ],
    },
  ];
  for (const { name, spec, errors } of rows)
    it(name, () => expect(checkResourceSlice(read(spec)).map(fieldErrorText)).toEqual(errors));
});
