import { describe, expect, it } from "vitest";
import { attributeWrite } from "./attribute-write.js";
import { formatClaim, parseClaim } from "./claim-cause.js";

const work = (item: string, queue = "q") => ({ queue, item });

describe("which work item made a write", () => {
  const cases = [
    { name: "nothing in hand: another reason", running: [], want: undefined },
    { name: "one in hand: that one, whatever it wrote", running: [work("a/other")], want: "exact a/other" },
    { name: "the written object is an item", running: [work("a/web"), work("a/x")], want: "exact a/web" },
    { name: "its controller is an item", running: [work("a/owner"), work("a/x")], want: "exact a/owner" },
    { name: "both are: one of them", running: [work("a/web"), work("a/owner")], want: "one-of a/web a/owner" },
    { name: "neither is: one of all", running: [work("a/x"), work("a/y")], want: "one-of a/x a/y" },
    {
      name: "an item may name what it is about and more",
      running: [work("pod:a/web"), work("pod:a/x")],
      want: "exact pod:a/web",
    },
    { name: "also with a uid", running: [work("a/web/uid"), work("a/x/uid")], want: "exact a/web/uid" },
    { name: "its namespace is an item", running: [work("a", "namespace"), work("b", "namespace")], want: "exact a" },
    { name: "a node with the name of its namespace is not", running: [work("a"), work("b")], want: "one-of a b" },
    {
      name: "the writer names one that it has in hand",
      running: [work("a/web"), work("z", "claimed")],
      want: "exact z",
    },
    { name: "another queue may have written it", running: [work("a/web"), work("z", "zones")], want: "one-of a/web z" },
  ];
  for (const { name, running, want } of cases)
    it(name, () => {
      const found = attributeWrite(
        { object: "a/web", owners: () => ["a/owner", "owner"], claim: { queue: "claimed", item: "z" } },
        running,
      );
      expect(found && [found.certainty, ...found.works.map(({ item }) => item)].join(" ")).toBe(want);
    });
});

describe("the claim of a client", () => {
  it("names a queue, an item and revisions", () => {
    const claim = { queue: "deployment", item: "default/web", revisions: [99, 104] };
    expect(formatClaim(claim)).toBe("deployment default/web 99,104");
    expect(parseClaim(formatClaim(claim))).toEqual(claim);
  });
  for (const text of ["", "one", "a b c", "a b 1 2", "a b 1;2"])
    it(`${JSON.stringify(text)} is none`, () => expect(parseClaim(text)).toBeUndefined());
  it("is bounded", () => expect(parseClaim(`q i ${"1,".repeat(100)}1`)?.revisions).toHaveLength(16));
});
