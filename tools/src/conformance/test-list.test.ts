import { describe, expect, it } from "vitest";
import { focusOf, listNames, parseList, readList } from "./test-list.js";

describe("lists of tests", () => {
  it("skips remarks and blank lines", () => {
    expect(parseList("# passed\n[sig-a] one [Conformance]\n\n  [sig-a] two\n")).toEqual([
      "[sig-a] one [Conformance]",
      "[sig-a] two",
    ]);
  });

  it("names every test once", () => {
    expect(listNames()).toContain("stage-1-apiserver");
    for (const name of listNames()) {
      const tests = readList(name);
      expect(new Set(tests).size).toBe(tests.length);
      const isConformance = !/sig-network|network-policy|dual-stack|storage-drivers/.test(name);
      for (const test of tests)
        expect(test).toMatch(isConformance ? /^\[sig-[a-z-]+\] .*\[Conformance\]/ : /^\[sig-(?:network|storage)\] /);
    }
  });

  it("has all conformance tests of 1.36 in one list", () => expect(readList("all")).toHaveLength(446));

  it("selects names to the letter", () => {
    const names = ["[sig-cli] Kubectl [Slow] a (b) c+ d? /e.f [Conformance]", "[sig-a] x"];
    const focus = new RegExp(focusOf(names));
    for (const name of names) expect(focus.test(`Kubernetes e2e suite ${name} [Labels]`)).toBe(true);
    expect(focus.test("[sig-cli] Kubectl S a b cc /exf")).toBe(false);
  });
});
