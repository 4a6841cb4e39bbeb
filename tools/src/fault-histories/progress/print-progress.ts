import { readFileSync } from "node:fs";

export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Of the machine, over the last minute: figures mean little without it. */
export const machineLoad = (): string => readFileSync("/proc/loadavg", "utf8").split(" ")[0] ?? "";

export const verdict = (problems: readonly string[]): string =>
  problems.length === 0 ? "accepted" : `${problems.length} problems`;

/** Once something is wrong, much else is. */
export function printProblems(problems: readonly string[]): void {
  for (const problem of problems.slice(0, 10)) print(`  ${problem}`);
}
