import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Outcome } from "./outcome.js";

/** The last outcome of every test that ended, in a file: a run that was stopped is taken up where it was. */
export interface KeptResults {
  get(test: string): Outcome | undefined;
  /** Written at once, whole or not at all. */
  put(outcome: Outcome): void;
}

export function openKeptResults(file: string, { fresh = false } = {}): KeptResults {
  const kept = new Map<string, Outcome>(fresh ? [] : read(file).map((outcome) => [outcome.test, outcome]));
  mkdirSync(dirname(file), { recursive: true });
  return {
    get: (test) => kept.get(test),
    put(outcome) {
      kept.set(outcome.test, outcome);
      writeFileSync(`${file}.partial`, `${JSON.stringify([...kept.values()], null, 1)}\n`);
      renameSync(`${file}.partial`, file);
    },
  };
}

function read(file: string): Outcome[] {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Outcome[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return []; // the first run
    throw new Error(`cannot read ${file}; --fresh begins anew`, { cause: error });
  }
}

/** What is still to run: tests without an outcome, and those that did not pass if asked for. */
export const stillToRun = (
  tests: readonly string[],
  kept: Pick<KeptResults, "get">,
  { retryFailed }: { retryFailed: boolean },
): string[] =>
  tests.filter((test) => {
    const verdict = kept.get(test)?.verdict;
    return verdict === undefined || (retryFailed && verdict !== "passed");
  });
