import { describe, expect, it } from "vitest";
import { getOwn, ownEntries, setOwn } from "./index.js";

describe("members named by users", () => {
  it("__proto__ is an ordinary member: written, read and listed, the prototype untouched", () => {
    const labels: Record<string, string> = {};
    setOwn(labels, "__proto__", "x");
    expect(getOwn(labels, "__proto__")).toBe("x");
    expect(ownEntries(labels)).toEqual([["__proto__", "x"]]);
    expect(Object.getPrototypeOf(labels)).toBe(Object.prototype);
  });

  it("a member of the prototype is not there", () => {
    expect(getOwn({} as Record<string, string>, "constructor")).toBeUndefined();
  });
});
