import { execFile } from "node:child_process";

/** Programs that a real node calls, and the Debian package that has each. */
export const debianPackages = { mount: "mount", umount: "mount", getsubids: "uidmap" } as const;

export type ProgramName = keyof typeof debianPackages;

/** A program is not there, failed, or took too long. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
  /** Of a program that ended by itself. */
  readonly exitCode: number | undefined;
  /** What it printed, both streams. */
  readonly output: string;
  readonly isMissing: boolean;

  constructor(
    message: string,
    {
      exitCode,
      output = "",
      isMissing = false,
    }: { readonly exitCode?: number; readonly output?: string; readonly isMissing?: boolean } = {},
  ) {
    super(message);
    this.exitCode = exitCode;
    this.output = output;
    this.isMissing = isMissing;
  }
}

/** Runs a program to its end, without a shell. @throws ProgramError */
export type RunProgram = (name: ProgramName, args: readonly string[]) => Promise<string>;

/** A mount that hangs (a server that does not answer) fails after this time, and is tried again by its caller. */
const timeoutMs = 120_000;
/** More output than this is an error: nobody reads it. */
const maxBuffer = 1024 * 1024;

export const runProgram: RunProgram = (name, args) =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, LC_ALL: "C" };
    execFile(name, args, { timeout: timeoutMs, maxBuffer, env, killSignal: "SIGKILL" }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim();
      if (!error) resolve(output);
      else if (error.code === "ENOENT") reject(new ProgramError(missingProgram(name), { isMissing: true }));
      else if (error.killed) reject(new ProgramError(`${name} took longer than ${timeoutMs / 1000} s`, { output }));
      else if (typeof error.code === "number")
        reject(new ProgramError(`exit status ${error.code}`, { exitCode: error.code, output }));
      else reject(new ProgramError(error.message, { output }));
    });
  });

const missingProgram = (name: ProgramName): string =>
  `the program ${name} was not found: install it (apt-get install ${debianPackages[name]})`;
