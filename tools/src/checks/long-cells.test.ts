import { expect, it } from "vitest";
import { checkLongCells } from "./long-cells.js";

const check = (text: string): string[] => checkLongCells({ path: "docs/status.md", text });

const cases = [
  { name: "a cell of a line may stay", text: `| by | ${"x".repeat(160)} |`, problems: 0 },
  { name: "a longer one may not", text: `| by | ${"x".repeat(161)} | more |`, problems: 1 },
  { name: "each of a row is reported", text: `| by | ${"x".repeat(161)} | ${"y".repeat(161)} | more |`, problems: 2 },
  { name: "of a link, only what is read counts", text: `| by | [runs](${"x".repeat(161)}) | more |`, problems: 0 },
  { name: "prose may be longer", text: "x".repeat(500), problems: 0 },
];
for (const { name, text, problems } of cases) it(name, () => expect(check(text)).toHaveLength(problems));
