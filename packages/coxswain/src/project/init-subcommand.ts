import { existsSync } from "node:fs";
import { join } from "node:path";
import { initFlags, type ProjectFacts, readProjectFacts } from "./init-flags.js";
import { defineSubcommand, type Subcommand } from "./subcommand.js";
import { type PlannedFile, writeChanged } from "./write-files.js";

interface NewProject {
  /** What is written, for `--help`. */
  readonly description: string;
  readonly files: (facts: ProjectFacts) => PlannedFile[];
  /** The command that adds a kind. */
  readonly next: string;
}

/** `init` of projects of one sort: writes their files into a folder that has none of them. */
export const initSubcommand = ({ description, files, next }: NewProject): Subcommand =>
  defineSubcommand({
    name: "init",
    takes: "",
    summary: "Writes a new project into the current folder.",
    description,
    flags: initFlags,
    maxWords: 0,
    run({ options, directory, print, printError }) {
      const planned = files(readProjectFacts(options, directory));
      const existing = planned.filter(({ path }) => existsSync(join(directory, path)));
      if (existing.length > 0) {
        printError(`${existing.map(({ path }) => path).join(", ")} exist in ${directory}: use an empty folder`);
        return 1;
      }
      for (const path of writeChanged(directory, planned)) print(`wrote ${path}`);
      print(`next: npm install, then "${next}"`);
      return 0;
    },
  });
