import { describe, expect, it } from "vitest";
import { checkImports } from "./imports.js";
import { checkOwnMembers } from "./own-members.js";
import { checkTimeAndChance } from "./time-and-chance.js";

const file = (text: string, over: { package?: string; isTest?: boolean; path?: string } = {}) => ({
  path: "packages/storage/src/a.ts",
  package: "storage",
  isTest: false,
  text,
  ...over,
});

describe("the house rules", () => {
  const cases = [
    {
      name: "an import the table allows",
      found: checkImports(file(`import { x } from "@coxswain/wire";`)),
      problems: 0,
    },
    {
      name: "an import the table does not allow",
      found: checkImports(file(`import { x } from "@coxswain/apiserver";`)),
      problems: 1,
    },
    {
      name: "a type import counts too",
      found: checkImports(file(`import type { x } from "@coxswain/kinds";`)),
      problems: 1,
    },
    {
      name: "another package's src",
      found: checkImports(file(`import { x } from "@coxswain/wire/src/a.js";`)),
      problems: 1,
    },
    {
      name: "a node module in a browser package",
      found: checkImports(file(`import fs from "node:fs";`, { package: "api" })),
      problems: 1,
    },
    {
      name: "a node module in that package's test",
      found: checkImports(file(`import fs from "node:fs";`, { package: "api", isTest: true })),
      problems: 0,
    },
    { name: "the world's time", found: checkTimeAndChance(file("const t = Date.now();")), problems: 1 },
    {
      name: "the world's time in a comment",
      found: checkTimeAndChance(file("// unlike Date.now()\nconst t = clock.now();")),
      problems: 0,
    },
    { name: "a date made from a number", found: checkTimeAndChance(file("new Date(clock.now())")), problems: 0 },
    { name: "chance", found: checkTimeAndChance(file("Math.random()")), problems: 1 },
    { name: "a label read by index", found: checkOwnMembers(file("return meta.labels[key];")), problems: 1 },
    { name: "a label read by getOwn", found: checkOwnMembers(file("return getOwn(meta.labels, key);")), problems: 0 },
  ];
  for (const c of cases)
    it(`${c.name}: ${c.problems === 0 ? "fine" : "a sentence"}`, () => expect(c.found).toHaveLength(c.problems));
});
