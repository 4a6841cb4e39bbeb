import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ProjectPlace } from "../project/subcommand.js";
import { runOperatorCommand } from "./operator-command.js";

export const workspace = fileURLToPath(new URL("../../../../", import.meta.url));

export interface ProjectFolder {
  readonly directory: string;
  write(path: string, text: string): void;
  read(path: string): string;
  has(path: string): boolean;
  /** A command line behind `coxswain operator`. */
  run(line: string): Promise<{ code: number; output: string[]; errors: string[] }>;
  /** The same for a command that runs until it is stopped. */
  start(line: string): RunningCommand;
  /** Makes the packages of this workspace those of the project. */
  install(): void;
  remove(): void;
}

export interface RunningCommand {
  /** What was printed so far, errors and logs of the operator among it. */
  readonly lines: readonly string[];
  /** Answers the exit code. */
  stop(): Promise<number>;
}

/** A folder for one test, and the command in it. */
export function projectFolder(
  files: Readonly<Record<string, string>> = {},
  runCommand: (args: readonly string[], place: ProjectPlace) => Promise<number> = runOperatorCommand,
): ProjectFolder {
  const directory = mkdtempSync(join(tmpdir(), "coxswain-operator-"));
  const folder: ProjectFolder = {
    directory,
    write(path, text) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    },
    read: (path) => readFileSync(join(directory, path), "utf8"),
    has: (path) => existsSync(join(directory, path)),
    async run(line) {
      const output: string[] = [];
      const errors: string[] = [];
      const code = await runCommand(line.split(" "), {
        directory,
        print: (text) => void output.push(text),
        printError: (text) => void errors.push(text),
      });
      return { code, output, errors };
    },
    start(line) {
      const lines: string[] = [];
      const ending = new AbortController();
      const print = (text: string): void => void lines.push(text);
      const place = { directory, print, printError: print, signal: ending.signal };
      const ended = runCommand(line.split(" "), place);
      ended.catch((error: unknown) => print(String(error)));
      return {
        lines,
        stop() {
          ending.abort();
          return ended;
        },
      };
    },
    install: () => symlinkSync(join(workspace, "node_modules"), join(directory, "node_modules")),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
  for (const [path, text] of Object.entries(files)) folder.write(path, text);
  return folder;
}
