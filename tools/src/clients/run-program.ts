import { spawn } from "node:child_process";
import { once } from "node:events";

export interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. `input` is what it reads; `env` is added to ours. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: { input?: string; env?: Readonly<Record<string, string>>; cwd?: string } = {},
): Promise<ProgramResult> {
  const child = spawn(program, args, {
    env: { ...process.env, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  child.stdin.on("error", () => {}); // EPIPE: it ended without reading its input
  child.stdin.end(options.input ?? "");
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}
