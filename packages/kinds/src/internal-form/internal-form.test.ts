import { describe, expect, it } from "vitest";
import { sameForm } from "./equal.js";
import { indentedJson } from "./go-text.js";
import { internalForm, internalPodSpec, internalValue } from "./internal-form.js";
import { unifiedDiff } from "./unified-diff.js";

describe("internal forms", () => {
  it("have Go's names, all of them, and print as Go prints", () =>
    expect(internalValue("SeccompProfile", { type: "RuntimeDefault", localhostProfile: "a<b" }).text).toBe(
      '{"Type":"RuntimeDefault","LocalhostProfile":"a\\u003cb"}',
    ));
  it("lists and maps that were not given are nil, empty ones are empty", () =>
    expect(internalValue("Capabilities", { add: [] }).text).toBe('{"Add":[],"Drop":null}'));
  it("an embedded struct stands in its place", () =>
    expect(Object.keys(internalForm("Volume", { name: "v", emptyDir: {} })).slice(0, 3)).toEqual([
      "Name",
      "HostPath",
      "EmptyDir",
    ]));
  it("maps are sorted", () =>
    expect(internalValue("FlexVolumeSource", { driver: "d", options: { b: "1", a: "2" } }).text).toContain(
      '"Options":{"a":"2","b":"1"}',
    ));
  it("members of the host's namespaces move to the security context", () => {
    const { SecurityContext } = internalPodSpec({ containers: [], hostNetwork: true });
    expect(SecurityContext).toMatchObject({ HostNetwork: true, HostPID: false, HostUsers: null });
  });
});

describe("sameForm", () => {
  const resources = (cpu: string): unknown => internalForm("ResourceRequirements", { limits: { cpu } });
  const cases = [
    { name: "the same amount in other words", a: resources("1Gi"), b: resources("1073741824"), same: true },
    { name: "another amount", a: resources("1"), b: resources("2"), same: false },
    {
      name: "a pointer to an empty struct is something",
      a: internalForm("Volume", { emptyDir: {} }),
      b: internalForm("Volume", {}),
      same: false,
    },
    {
      name: "an empty list is none",
      a: internalForm("Capabilities", { add: [] }),
      b: internalForm("Capabilities", {}),
      same: true,
    },
  ];
  for (const { name, a, b, same } of cases) it(name, () => expect(sameForm(a, b)).toBe(same));
});

describe("unifiedDiff", () => {
  const numbered = (count: number, change: (line: number) => string = String): string =>
    Array.from({ length: count }, (_, i) => change(i + 1)).join("\n");
  const cases = [
    { name: "no difference", a: "x", b: "x", diff: "" },
    { name: "one line", a: "x", b: "y", diff: "@@ -1 +1 @@\n-x\n+y\n" },
    { name: "a line more", a: "x", b: "x\ny", diff: "@@ -1 +1,2 @@\n x\n+y\n" },
    {
      name: "three lines around it",
      a: numbered(9),
      b: numbered(9, (n) => (n === 5 ? "new" : String(n))),
      diff: "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+new\n 6\n 7\n 8\n",
    },
    {
      name: "two hunks",
      a: numbered(20),
      b: numbered(20, (n) => (n === 2 || n === 18 ? "new" : String(n))),
      diff: "@@ -1,5 +1,5 @@\n 1\n-2\n+new\n 3\n 4\n 5\n@@ -15,6 +15,6 @@\n 15\n 16\n 17\n-18\n+new\n 19\n 20\n",
    },
    // Python's difflib gives the same: the line "same" is too frequent to match on.
    {
      name: "frequent lines start no match in a long text",
      a: "same\na",
      b: numbered(200, () => "same"),
      diff: `@@ -1,2 +1,200 @@\n same\n-a\n${"+same\n".repeat(199)}`,
    },
  ];
  for (const { name, a, b, diff } of cases) it(name, () => expect(unifiedDiff(a, b)).toBe(diff));
  it("indents by one space, as the texts that are compared", () =>
    expect(indentedJson({ a: [1, {}], b: [] })).toBe('{\n "a": [\n  1,\n  {}\n ],\n "b": []\n}'));
});
