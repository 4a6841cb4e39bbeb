import type { FlagTable } from "@coxswain/component/flags";
import { defineSubcommand, type Subcommand, type SubcommandCall } from "../project/subcommand.js";
import { type OperatorProject, readProject } from "./project-facts.js";

/** A subcommand that works on an operator's project, which it is given. */
interface ProjectSubcommand<T extends FlagTable> extends Omit<Subcommand<T>, "run"> {
  run(call: SubcommandCall<T> & { readonly project: OperatorProject }): number | Promise<number>;
}

/** In any other folder it fails, and prints what makes a project. */
export const defineProjectSubcommand = <const T extends FlagTable>({
  run,
  ...subcommand
}: ProjectSubcommand<T>): Subcommand =>
  defineSubcommand<T>({
    ...subcommand,
    run(call) {
      const { directory, printError } = call;
      const project = readProject(directory);
      if (project !== undefined) return run({ ...call, project });
      printError(
        `${directory} is no operator's project: package.json has no "operator": { "domain": … }. "coxswain operator init" makes one`,
      );
      return 1;
    },
  });
