import { codeLines } from "./code-lines.js";
import type { SourceFile } from "./source-files.js";

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

/** Waiting for the event loop is the scheduler's: protocols have their own reasons. */
const ownsEventLoop = /^packages\/(runtime|wire)\//;

/** The modules that stand between the world's time and chance and everybody else. */
const sources = /^packages\/runtime\/src\/(clock|random)\//;

/** Time and chance are passed in (a `Clock`, a `RandomSource`), so that a test can hold them still. */
export function checkTimeAndChance(file: SourceFile): string[] {
  if (file.isTest || file.package === "tools" || sources.test(file.path)) return [];
  const yields = codeLines(file.text)
    .filter(({ code }) => !ownsEventLoop.test(file.path) && /\bsetImmediate\b/.test(code))
    .map(
      ({ number }) =>
        `${file.path}:${number} uses setImmediate: yield the event loop by \`yield\` of the runtime's scheduler, or wait for its \`nextIteration\`.`,
    );
  const others = codeLines(file.text).flatMap(({ number, code }) =>
    forbidden
      .filter(([pattern]) => pattern.test(code))
      .map(
        ([, name]) =>
          `${file.path}:${number} uses ${name}: time and chance are passed in; take a Clock or a RandomSource.`,
      ),
  );
  return [...yields, ...others];
}
