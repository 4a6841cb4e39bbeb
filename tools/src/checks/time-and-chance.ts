import type { SourceFile } from "./source-files.js";
import { codeLines } from "./code-lines.js";

const forbidden: readonly [RegExp, string][] = [
  [/\bDate\.now\b/, "Date.now"],
  [/\bnew Date\(\s*\)/, "new Date()"],
  [/\bsetTimeout\b/, "setTimeout"],
  [/\bsetInterval\b/, "setInterval"],
  [/\bperformance\.now\b/, "performance.now"],
  [/\bAbortSignal\.timeout\b/, "AbortSignal.timeout"],
  [/\bMath\.random\b/, "Math.random"],
  [/\brandomUUID\b/, "crypto.randomUUID"],
];

/** The modules that stand between the world's time and chance and everybody else. */
const sources = /^packages\/runtime\/src\/(clock|random)\//;

/** Time and chance are passed in (a `Clock`, a `RandomSource`), so that a test can hold them still. */
export function checkTimeAndChance(file: SourceFile): string[] {
  if (file.isTest || file.package === "tools" || sources.test(file.path)) return [];
  return codeLines(file.text).flatMap(({ number, code }) =>
    forbidden
      .filter(([pattern]) => pattern.test(code))
      .map(
        ([, name]) =>
          `${file.path}:${number} uses ${name}: time and chance are passed in; take a Clock or a RandomSource.`,
      ),
  );
}
