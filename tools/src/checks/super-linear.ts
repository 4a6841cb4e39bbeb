import { growthOf } from "./regexp/ambiguity.js";
import { parsePattern } from "./regexp/parse-pattern.js";
import { patternsInSource } from "./regexp/patterns-in-source.js";
import type { SourceFile } from "./source-files.js";
import { allowedPatterns } from "./super-linear-allowed.js";

/**
 * One thread serves everybody, so a pattern whose work grows faster than its text stops the server for all. Every pattern of the
 * packages is linear, or it is in super-linear-allowed.ts with what bounds its text.
 */
export function checkSuperLinear(files: readonly SourceFile[], allowed = allowedPatterns): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const unused = new Set(allowed);
  const problems: string[] = [];
  for (const file of files) {
    if (file.isTest || file.package === "tools") continue;
    for (const { line, source, flags, text } of patternsInSource(file, (path) => byPath.get(path))) {
      const growth =
        source === undefined
          ? { kind: "unknown", because: "it is made while the program runs" }
          : growthOf(parsePattern(source), flags);
      if (growth.kind === "linear") continue;
      const entry = allowed.find((one) => file.path.endsWith(`/${one.file}`) && one.pattern === text);
      if (entry === undefined)
        problems.push(
          `${file.path}:${line} ${text} has ${growth.kind} work: ${"because" in growth ? growth.because : ""}. Write it without a regular expression or so that it is linear, or bound its text before and add it to tools/src/checks/super-linear-allowed.ts.`,
        );
      else unused.delete(entry);
    }
  }
  for (const { file, pattern } of unused)
    problems.push(
      `tools/src/checks/super-linear-allowed.ts: ${pattern} in ${file} is gone or linear; delete the entry.`,
    );
  return problems;
}
