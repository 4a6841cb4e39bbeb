import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ProgramResult, runProgram } from "@coxswain/tools/clients";

const launcher = join(dirname(fileURLToPath(import.meta.url)), "../../bin/coxswain.js");

/** The built command, as a user types it. */
export const runCoxswain = (line: string): Promise<ProgramResult> =>
  runProgram(process.execPath, [launcher, ...line.split(" ")]);

/** The same, where nothing else than success will do. Answers what it printed. */
export async function coxswain(line: string): Promise<string> {
  const { code, stdout, stderr } = await runCoxswain(line);
  if (code !== 0) throw new Error(`coxswain ${line} ended with ${code}: ${stderr}`);
  return stdout;
}
