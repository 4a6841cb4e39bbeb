import { codeLines } from "./code-lines.js";
import type { SourceFile } from "./source-files.js";

/**
 * A spread passes a list's items as arguments on the stack: above some 120,000 of them the call throws a RangeError, and a
 * client can send as many. Only the functions that lists are passed to are looked for; a spread inside a literal is no argument.
 */
const calls = /(?:\.(?:push|unshift|splice|fromCharCode|fromCodePoint)|\bMath\.(?:max|min)|\bconcat)\(/g;

export function checkSpreadArguments(file: SourceFile): string[] {
  if (file.isTest || file.package === "tools" || allowed.has(file.path)) return [];
  const lines = codeLines(file.text);
  const code = lines.map((line) => line.code).join("\n");
  const problems: string[] = [];
  for (const { index, 0: call } of code.matchAll(calls)) {
    if (!hasSpreadArgument(code, index + call.length)) continue;
    const number = lines[code.slice(0, index).split("\n").length - 1]?.number;
    problems.push(
      `${file.path}:${number} spreads a list into ${call.replace(/^\.|\($/g, "")}(): use append, largest or smallest of @coxswain/apimachinery/append, or a loop.`,
    );
  }
  return problems;
}

/** Lists of known, small length. */
const allowed = new Set([
  "packages/apimachinery/src/patch/json-draft.ts",
  "packages/runtime/src/random/random-uuid.ts",
  "packages/apimachinery/src/regexp/unicode-ranges.ts",
  "packages/kinds/src/custom-resources/resource-facts.ts",
  "packages/storage/src/conformance/races.ts",
]);

/** Whether one of the arguments that begin at `at` is a spread, brackets of other calls and literals aside. */
function hasSpreadArgument(code: string, at: number): boolean {
  let depth = 0;
  for (let i = at; i < code.length; i++) {
    const char = code[i] as string;
    if ("([{".includes(char)) depth++;
    else if (")]}".includes(char) && --depth < 0) return false;
    else if (depth === 0 && char === "." && code.startsWith("...", i)) return true;
  }
  return false;
}
