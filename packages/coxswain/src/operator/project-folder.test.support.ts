import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runOperatorCommand } from "./operator-command.js";

export interface ProjectFolder {
  readonly directory: string;
  write(path: string, text: string): void;
  read(path: string): string;
  has(path: string): boolean;
  /** A command line behind `coxswain operator`. */
  run(line: string): Promise<{ code: number; output: string[]; errors: string[] }>;
  remove(): void;
}

/** A folder for one test, and the command in it. */
export function projectFolder(files: Readonly<Record<string, string>> = {}): ProjectFolder {
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
      const code = await runOperatorCommand(line.split(" "), {
        directory,
        print: (text) => void output.push(text),
        printError: (text) => void errors.push(text),
      });
      return { code, output, errors };
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
  for (const [path, text] of Object.entries(files)) folder.write(path, text);
  return folder;
}
