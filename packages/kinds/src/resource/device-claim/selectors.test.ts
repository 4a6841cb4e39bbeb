import { fieldErrorText, fieldPath } from "@coxswain/apimachinery/field";
import { compileDeviceSelector } from "@coxswain/cel/devices";
import { describe, expect, it } from "vitest";
import { checkSelectors } from "./selectors.js";

const on = new Set(["DRAConsumableCapacity"]);
const context = { now: 0, gates: { enabled: (gate: string) => on.has(gate) }, compileDeviceSelector };
const check = (expression: string, isStored = false): string[] =>
  checkSelectors([{ cel: { expression } }], fieldPath("selectors"), { context, isStored }).map(fieldErrorText);

const path = "selectors[0].cel.expression";
const ten = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
const nested = (depth: number): string =>
  depth === 0 ? "true" : `${ten}.all(x${depth}, x${depth} > 0 || ${nested(depth - 1)})`;

describe("selectors of devices", () => {
  const cases = [
    { name: "one that compiles is accepted", expression: `device.driver == "gpu.example.com"`, want: [] },
    { name: "an attribute may be the answer", expression: `device.attributes["gpu.example.com"].healthy`, want: [] },
    {
      name: "one that does not compile is refused",
      expression: "device.nope",
      want: [
        `${path}: Invalid value: "device.nope": compilation failed: ERROR: <input>:1:7: undefined field 'nope'\n | device.nope\n | ......^`,
      ],
    },
    {
      name: "one of another type is refused",
      expression: "1",
      want: [`${path}: Invalid value: "1": must evaluate to bool or the unknown type, not int`],
    },
    {
      name: "one that may cost too much is refused",
      expression: nested(7),
      want: [`${path}: Forbidden: too complex, exceeds cost limit`],
    },
    {
      name: "one that is too long is not compiled",
      expression: "?".repeat(10_241),
      want: [`${path}: Too long: may not be more than 10240 bytes`],
    },
  ];
  for (const { name, expression, want } of cases) it(name, () => expect(check(expression)).toEqual(want));

  it("what a gate brings can be used by stored expressions only", () => {
    expect(check("[1].includes(1)")).toHaveLength(1);
    expect(check("[1].includes(1)", true)).toEqual([]);
  });
});
