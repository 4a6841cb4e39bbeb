import { describe, expect, it } from "vitest";
import { checkTablePaths } from "./table-paths.js";

const there = new Set(["packages", "packages/kinds", "packages/kinds/src", "packages/kinds/src/index.ts", "docs/a.md"]);
const check = (row: string): string[] =>
  checkTablePaths({ path: "CONTRIBUTING.md", text: `\`gone/in-prose.ts\`\n| to | ${row} |` }, (path) =>
    there.has(path.replace(/\/$/, "")),
  );
const gone = (path: string): string[] => [
  `CONTRIBUTING.md:2 names ${path}, which does not exist: name what replaced it.`,
];

describe("paths in the tables of a page", () => {
  const cases = [
    { name: "a path from the root", row: "`packages/kinds/src`", problems: [] },
    { name: "a file by the folder before it", row: "`packages/kinds/src`, then `index.ts`", problems: [] },
    { name: "a pattern: its folder", row: "`packages/kinds/src/<group>/<kind>/`", problems: [] },
    { name: "a command, and a name", row: "`npm run bench`, `Runtime`, `*-flags`", problems: [] },
    { name: "a path that is gone", row: "`packages/kinds/old`", problems: gone("packages/kinds/old") },
    { name: "one of several that is gone", row: "`packages/kinds/{src,old}`", problems: gone("packages/kinds/old") },
    { name: "a file without a folder before it", row: "`index.ts`", problems: gone("index.ts") },
  ];
  for (const { name, row, problems } of cases) it(name, () => expect(check(row)).toEqual(problems));
});
