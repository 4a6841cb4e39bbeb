import { describe, expect, it } from "vitest";
import { checkFolderLayers } from "./folder-layers.js";
import { checkImportCycles } from "./import-cycles.js";
import { checkImports } from "./imports.js";
import { checkNeededPrograms } from "./needed-programs.js";
import { checkOwnMembers } from "./own-members.js";
import { checkSpreadArguments } from "./spread-arguments.js";
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
      name: "a package that needs Node, and the Node folder, in the part of the client that runs in a browser",
      found: checkImports(
        file(`import "@coxswain/wire/http2"; import "../node/index.js";`, {
          package: "client",
          path: "packages/client/src/rest/x.ts",
        }),
      ),
      problems: 2,
    },
    {
      name: "the same in the client's Node folder",
      found: checkImports(
        file(`import "node:fs"; import "@coxswain/wire/http2";`, {
          package: "client",
          path: "packages/client/src/node/x.ts",
        }),
      ),
      problems: 0,
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
    {
      name: "a list spread into push, also over several lines",
      found: checkSpreadArguments(file("a.push(...b);\na.push(\n  c(d),\n  ...b,\n);\nMath.max(0, ...b);")),
      problems: 3,
    },
    {
      name: "a spread inside a literal is no argument",
      found: checkSpreadArguments(file("a.push([...b], { ...c }, f(...d));\nappend(a, [...b]);")),
      problems: 0,
    },
    { name: "a label read by index", found: checkOwnMembers(file("return meta.labels[key];")), problems: 1 },
    { name: "a label read by getOwn", found: checkOwnMembers(file("return getOwn(meta.labels, key);")), problems: 0 },
    {
      name: "a test that looks for a program by itself",
      found: checkNeededPrograms(file(`const path = findKubectl("1.33");`, { path: "packages/storage/src/a.test.ts" })),
      problems: 1,
    },
    {
      name: "a test that starts a program by itself",
      found: checkNeededPrograms(file(`spawnSync("etcd", []);`, { path: "packages/storage/src/a.test.ts" })),
      problems: 1,
    },
    {
      name: "a test that declares the program it needs",
      found: checkNeededPrograms(
        file(`import { describeWith } from "@coxswain/tools/needs";\nconst found = findKubectl("1.33");`, {
          path: "packages/storage/src/a.test.ts",
        }),
      ),
      problems: 0,
    },
  ];
  for (const c of cases)
    it(`${c.name}: ${c.problems === 0 ? "fine" : "a sentence"}`, () => expect(c.found).toHaveLength(c.problems));
});

describe("layers of folders", () => {
  const table = { storage: ["low", "high"] };
  const cases = [
    { name: "an import downwards", path: "high/a.ts", imports: "../low/b.js", problems: [] },
    { name: "an import from the same folder", path: "low/a.ts", imports: "./inner/b.js", problems: [] },
    {
      name: "an import upwards",
      path: "low/inner/a.ts",
      imports: "../../high/b.js",
      problems: [
        'packages/storage/src/low/inner/a.ts imports packages/storage/src/high/b.ts, but "low" stands below "high": imports only go down (tools/src/checks/folder-table.ts).',
      ],
    },
    {
      name: "an import of a file beside the folders",
      path: "low/a.ts",
      imports: "../index.js",
      problems: [
        'packages/storage/src/low/a.ts imports packages/storage/src/index.ts, but "low" stands below it: imports only go down (tools/src/checks/folder-table.ts).',
      ],
    },
    {
      name: "a folder that the table does not know",
      path: "new/a.ts",
      imports: "../low/b.js",
      problems: [
        'packages/storage/src/new/a.ts: the folder "new" of storage has no place in tools/src/checks/folder-table.ts; add it.',
      ],
    },
    {
      name: "a package that the table does not know",
      package: "yacht",
      path: "deck/a.ts",
      imports: "./b.js",
      problems: [
        'packages/yacht/src/deck/a.ts: the folder "deck" of yacht has no place in tools/src/checks/folder-table.ts; add it.',
      ],
    },
    { name: "a file beside the folders", path: "index.ts", imports: "./high/b.js", problems: [] },
    { name: "an import upwards in a test", path: "low/a.test.ts", imports: "../high/b.js", isTest: true, problems: [] },
  ];
  for (const { name, package: owner = "storage", path, imports, isTest = false, problems } of cases)
    it(`${name}: ${problems.length === 0 ? "fine" : "a sentence"}`, () =>
      expect(
        checkFolderLayers(
          file(`import type { x } from "${imports}";`, {
            package: owner,
            path: `packages/${owner}/src/${path}`,
            isTest,
          }),
          table,
        ),
      ).toEqual(problems));
});

describe("import cycles", () => {
  const cyclesOf = (imports: Readonly<Record<string, readonly string[]>>) =>
    checkImportCycles(
      Object.entries(imports).map(([path, targets]) =>
        file(targets.map((target) => `import type { x } from "${target}";\n`).join(""), {
          path: `packages/storage/src/${path}`,
          isTest: path.endsWith(".test.ts"),
        }),
      ),
    );
  const cases = [
    { name: "imports in one direction", imports: { "a.ts": ["./b.js", "./c/d.js"], "c/d.ts": ["../b.js"] }, found: [] },
    {
      name: "two files",
      imports: { "c/a.ts": ["./b.js"], "c/b.ts": ["./a.js"] },
      found: [
        "packages/storage/src/c: a.ts → b.ts → a.ts import each other in a circle: packages/storage/src/c/a.ts imports packages/storage/src/c/b.ts; packages/storage/src/c/b.ts imports packages/storage/src/c/a.ts.",
      ],
    },
    {
      name: "two folders without a cycle of files",
      imports: { "a/one.ts": ["../b/one.js"], "b/two.ts": ["../a/two.js"] },
      found: [
        "packages/storage/src: a/ → b/ → a/ import each other in a circle: packages/storage/src/a/one.ts imports packages/storage/src/b/one.ts; packages/storage/src/b/two.ts imports packages/storage/src/a/two.ts.",
      ],
    },
    {
      name: "a folder and a file beside it",
      imports: { "a/one.ts": ["../b.js"], "b.ts": ["./a/two.js"] },
      found: [
        "packages/storage/src: a/ → b.ts → a/ import each other in a circle: packages/storage/src/a/one.ts imports packages/storage/src/b.ts; packages/storage/src/b.ts imports packages/storage/src/a/two.ts.",
      ],
    },
    {
      name: "a file with JSX and one without",
      imports: { "c/a.tsx": ["./b.js"], "c/b.ts": ["./a.js"] },
      found: [
        "packages/storage/src/c: a.ts → b.ts → a.ts import each other in a circle: packages/storage/src/c/a.ts imports packages/storage/src/c/b.ts; packages/storage/src/c/b.ts imports packages/storage/src/c/a.ts.",
      ],
    },
    { name: "a test and what it tests", imports: { "a.ts": ["./b.js"], "b.test.ts": ["./a.js"] }, found: [] },
  ];
  for (const { name, imports, found } of cases)
    it(`${name}: ${found.length === 0 ? "fine" : "a sentence"}`, () => expect(cyclesOf(imports)).toEqual(found));
});
