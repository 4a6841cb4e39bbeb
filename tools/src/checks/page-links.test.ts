import { describe, expect, it } from "vitest";
import { checkPageLinks } from "./page-links.js";

const exists = (path: string): boolean => ["docs/a.md", "README.md", "packages/x"].includes(path);
const check = (text: string): string[] => checkPageLinks({ path: "docs/b.md", text }, exists);

describe("links of pages", () => {
  const fine = [
    ["a page beside it", "see [a](a.md)"],
    ["a section of it", "see [a](a.md#limits)"],
    ["a folder above", "[x](../packages/x) and [read](../README.md)"],
    ["another site, or the page itself", "[k](https://kubernetes.io/x.md) [below](#below)"],
    ["code", "`list[0](x)`\n```ts\nconst a = b[0](c);\n```"],
  ] as const;
  for (const [name, text] of fine) it(`lead somewhere: ${name}`, () => expect(check(text)).toEqual([]));

  it("that lead nowhere are named with their line", () =>
    expect(check("a\n[gone](gone.md)")).toEqual([
      "docs/b.md:2 links to docs/gone.md, which does not exist: link to what replaced it.",
    ]));
});
