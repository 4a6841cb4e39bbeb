import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { FlagError } from "@coxswain/component/flags";
import { parseSimulation, type Simulation } from "@coxswain/kubelet";

/** A larger file is none of ours; logs are kept up to this, too. */
const maxBytes = 1024 * 1024;

/** Node pools and rules of a file; without one, none. @throws FlagError that names the file and what is wrong with it */
export function readSimulation(file: string | undefined): Simulation {
  if (file === undefined) return { nodes: undefined, rules: {}, imageRules: [] };
  try {
    return parseSimulation(readSmall(file), { readFile: (path) => readSmall(resolve(dirname(file), path)) });
  } catch (error) {
    throw new FlagError(`--simulation: ${file}: ${(error as Error).message}`);
  }
}

function readSmall(path: string): string {
  if (statSync(path).size > maxBytes) throw new Error(`${path} has more than ${maxBytes} bytes`);
  return readFileSync(path, "utf8");
}
