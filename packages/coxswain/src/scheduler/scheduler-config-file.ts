import { readFileSync } from "node:fs";
import { FlagError } from "@coxswain/component/flags";
import { defaultSchedulerConfig, parseSchedulerConfig, type SchedulerConfig } from "@coxswain/scheduler";

/** The configuration in a file, or upstream's default one. @throws FlagError that names the file, with upstream's words for what is wrong */
export function readSchedulerConfig(
  file: string | undefined,
  gates: { enabled(gate: string): boolean },
): SchedulerConfig {
  if (file === undefined) return defaultSchedulerConfig(gates);
  try {
    return parseSchedulerConfig(readFileSync(file, "utf8"), gates);
  } catch (error) {
    throw new FlagError(`${file}: ${(error as Error).message}`);
  }
}
