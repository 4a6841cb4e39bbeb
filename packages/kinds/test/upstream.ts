import { spawnSync } from "node:child_process";
import { cachedOwnProgram } from "@coxswain/tools/programs";

/** A question to tools/answers/kinds, which runs upstream's own strategies and printers. */
export interface Question {
  readonly op: "create" | "update" | "print" | "convert" | "facts" | "labels";
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly view?: string;
  readonly object: unknown;
  readonly old?: unknown;
  /** Of "convert": the apiVersion wanted. */
  readonly to?: string;
}

export interface Answer {
  readonly defaulted?: unknown;
  readonly prepared?: unknown;
  readonly errors?: readonly string[];
  readonly warnings?: readonly string[];
  readonly cells?: readonly unknown[];
  readonly conditions?: unknown;
  readonly columns?: readonly string[];
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly failure?: string;
}

const upstreamProgram = cachedOwnProgram("kinds-answers");

/** The built program; without it only the recorded answers are compared. */
export const upstreamNeed = {
  found: upstreamProgram,
  missing: "upstream's own code, built with Go (npm run tool -- programs)",
};

/** `now`: what a time in an object is counted from; printers have their own clock. */
export function askUpstream(questions: readonly Question[], now: number): Answer[] {
  const input = questions.map((question) => JSON.stringify({ ...question, now })).join("\n");
  const { stdout, stderr, status, error } = spawnSync(upstreamProgram ?? "", {
    input,
    maxBuffer: 1 << 30,
    encoding: "utf8",
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`the program ended with ${status}: ${stderr.slice(-2000)}`);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer);
}
