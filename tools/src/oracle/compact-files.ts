import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CompactAnswer } from "./compact.js";

/** One answer a line, so that a change of upstream shows as a short difference. */
export function writeCompact(folder: string, kind: string, answers: readonly CompactAnswer[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${kind}.json`), `[\n${answers.map((answer) => JSON.stringify(answer)).join(",\n")}\n]\n`);
}

/** What is kept, by the subject's name. */
export function readCompact(folder: string): Map<string, CompactAnswer[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return new Map(
    files.map((name) => [
      name.replace(/\.json$/, ""),
      JSON.parse(readFileSync(join(folder, name), "utf8")) as CompactAnswer[],
    ]),
  );
}
