import { expect, it } from "vitest";
import { fieldSteps } from "./field-path.js";

const cases: [field: string, steps: string[]][] = [
  ["spec", ["spec"]],
  ["spec.containers[0].image", ["spec", "containers", "0", "image"]],
  ["metadata.annotations[example.com/a.b]", ["metadata", "annotations", "example.com/a.b"]],
  ['spec.hard["limits.cpu"]', ["spec", "hard", "limits.cpu"]],
  ["[0].a", ["0", "a"]],
  ["a[", ["a"]],
  ["", []],
];
for (const [field, steps] of cases)
  it(`${JSON.stringify(field)} has ${steps.length} steps`, () => expect(fieldSteps(field)).toEqual(steps));
