import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What package.json states about an operator's project. */
export interface OperatorProject {
  readonly name: string;
  /** Groups of its kinds end with it. */
  readonly domain: string;
}

/** Undefined: the folder is no operator's project. */
export function readProject(directory: string): OperatorProject | undefined {
  const file = join(directory, "package.json");
  if (!existsSync(file)) return undefined;
  const { name, operator } = JSON.parse(readFileSync(file, "utf8")) as {
    name?: string;
    operator?: { domain?: string };
  };
  // A scope is no part of an object's name.
  return operator?.domain === undefined
    ? undefined
    : { name: (name ?? "operator").replace(/^@.*\//, ""), domain: operator.domain };
}
