import { describe, expect, it } from "vitest";
import { patternsInSource } from "./regexp/patterns-in-source.js";
import { checkSuperLinear } from "./super-linear.js";

const file = (text: string, path = "packages/storage/src/a.ts", isTest = false) => ({
  path,
  package: "storage",
  isTest,
  text,
});
const sourcesIn = (text: string, ...others: ReturnType<typeof file>[]) =>
  patternsInSource(file(text), (path) => others.find((other) => other.path === path)).map(({ source }) => source);

describe("regular expressions in a source", () => {
  const cases = [
    { name: "a literal", text: "const a = /x+/g;", found: ["x+"] },
    { name: "a division", text: "const a = b / c / d;", found: [] },
    { name: "a division behind an assertion", text: "const a = b! / c / d;", found: [] },
    { name: "a literal behind a negation", text: "if (!/x/.test(a)) return;", found: ["x"] },
    { name: "a literal with a slash in a class", text: "a.split(/[/]/)", found: ["[/]"] },
    { name: "a literal in a template", text: "`a ${b.replace(/x/, `${/y/.source}`)} /no/`", found: ["x", "y"] },
    { name: "a comment and a string", text: "// /x/\n/* /y/ */ const a = '/z/';", found: [] },
    { name: "a pattern of constants", text: 'const b = "x";\nnew RegExp(`^${b}\\\\d$`)', found: ["^x\\d$"] },
    { name: "a pattern joined from constants", text: 'const b = "x" + "y";\nnew RegExp(b)', found: ["xy"] },
    { name: "a pattern that is not constant", text: "new RegExp(given)", found: [undefined] },
  ];
  for (const { name, text, found } of cases) it(name, () => expect(sourcesIn(text)).toEqual(found));
  it("a pattern of a constant from another file", () =>
    expect(
      sourcesIn(
        'import { b } from "./b.js";\nnew RegExp(`^${b}$`)',
        file('export const b = "x";', "packages/storage/src/b.ts"),
      ),
    ).toEqual(["^x$"]));
});

describe("the rule on regular expressions", () => {
  const trailing = file("text.replace(/x+$/, '')");
  const entry = { file: "src/a.ts", pattern: "/x+$/", reason: "short" };
  it("refuses a pattern with more than linear work", () => expect(checkSuperLinear([trailing], [])).toHaveLength(1));
  it("accepts one that is listed", () => expect(checkSuperLinear([trailing], [entry])).toEqual([]));
  it("reports an entry that is no longer needed", () => expect(checkSuperLinear([file("")], [entry])).toHaveLength(1));
  it("leaves tests alone", () =>
    expect(checkSuperLinear([file("text.replace(/x+$/, '')", "packages/storage/src/a.test.ts", true)], [])).toEqual(
      [],
    ));
});
