import type { Timeline } from "../timeline/timeline.js";
import { repeatCommand } from "./repeat-command.js";
import { type RunningTest, runningTest } from "./running-test.js";

export interface FailedRun {
  /** What makes the run again: "COXSWAIN_SEED=7". */
  readonly variables: string;
  timeline(): Timeline;
}

/** The lines that belong to a failing test. The timeline is written to a file. */
export function failureLines({ variables, timeline }: FailedRun, test: RunningTest = runningTest()): string[] {
  return [`repeat:   ${repeatCommand(variables, test)}`, `timeline: ${timeline().write()}`];
}

/** Prints them. */
export function printFailure(run: FailedRun): void {
  for (const line of failureLines(run)) console.error(line);
}

const unclear: FailedRun[] = [];
let isWaiting = false;

/**
 * For runners that do not show whether a test has failed (node:test): at the end of a process that failed, the lines of its
 * clusters are printed. The timeline is made now, since the cluster is about to end.
 */
export function printIfProcessFails({ variables, timeline }: FailedRun): void {
  if (unclear.length >= mostRuns) return;
  const made = timeline();
  unclear.push({ variables, timeline: () => made });
  if (isWaiting) return;
  isWaiting = true;
  process.on("exit", (code) => {
    if (code !== 0 || process.exitCode) for (const run of unclear) printFailure(run);
  });
}

/** A file of tests has some clusters; more would be too many lines. */
const mostRuns = 20;
