import { describe, expect, it } from "vitest";
import { createBaseEnvironments } from "./environments.js";

const compiles = (minor: number, text: string): { new: boolean; stored: boolean } => {
  const { forNew, forStored } = createBaseEnvironments(minor);
  return { new: forNew.compile(text).ok, stored: forStored.compile(text).ok };
};

describe("an expression that is new may only use what the compatibility version has", () => {
  const rows = [
    { minor: 27, text: "1 < 2.0", since: 28 },
    { minor: 27, text: "quantity('1Mi').isInteger()", since: 28 },
    { minor: 28, text: "sets.contains([1], [1])", since: 29 },
    { minor: 29, text: "ip('::1').isLoopback()", since: 30 },
    { minor: 29, text: "cidr('::/0').prefixLength() == 0", since: 30 },
    { minor: 30, text: "format.dns1123Label().validate('a').hasValue()", since: 31 },
    { minor: 31, text: "[1].all(i, v, i < v)", since: 32 },
    { minor: 32, text: "isSemver('v1', true)", since: 33 },
    { minor: 33, text: "[[1]].flatten()", since: 34 },
  ];
  for (const { minor, text, since } of rows)
    it(`${text} from 1.${since} on, and always where it is stored`, () => {
      expect(compiles(minor, text)).toEqual({ new: false, stored: true });
      expect(compiles(since, text)).toEqual({ new: true, stored: true });
    });

  it("URLs, regular expressions and lists from the beginning", () =>
    expect(compiles(0, "isURL('a'.find('b')) || [1].isSorted()")).toEqual({ new: true, stored: true }));

  it("existsOne over one variable exists nowhere", () =>
    expect(compiles(36, "[1].existsOne(x, true)")).toEqual({ new: false, stored: false }));
});
