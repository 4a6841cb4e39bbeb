import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FlagTable } from "@coxswain/component/flags";
import { defineSubcommand, type Subcommand, type SubcommandCall } from "../project/subcommand.js";

/** What package.json states about an API server's project. */
export interface ApiProject {
  readonly name: string;
  /** Groups of its kinds end with it. */
  readonly domain: string;
}

/** Undefined: the folder is no API server's project. */
export function readApiProject(directory: string): ApiProject | undefined {
  const file = join(directory, "package.json");
  if (!existsSync(file)) return undefined;
  const { name, apiServer } = JSON.parse(readFileSync(file, "utf8")) as {
    name?: string;
    apiServer?: { domain?: string };
  };
  // A scope is no part of an object's name.
  return apiServer?.domain === undefined
    ? undefined
    : { name: (name ?? "apiserver").replace(/^@.*\//, ""), domain: apiServer.domain };
}

/** A subcommand that works on an API server's project, which it is given. */
interface ApiSubcommand<T extends FlagTable> extends Omit<Subcommand<T>, "run"> {
  run(call: SubcommandCall<T> & { readonly project: ApiProject }): number | Promise<number>;
}

/** In any other folder it fails, and prints what makes a project. */
export const defineApiSubcommand = <const T extends FlagTable>({ run, ...subcommand }: ApiSubcommand<T>): Subcommand =>
  defineSubcommand<T>({
    ...subcommand,
    run(call) {
      const { directory, printError } = call;
      const project = readApiProject(directory);
      if (project !== undefined) return run({ ...call, project });
      printError(
        `${directory} is no API server's project: package.json has no "apiServer": { "domain": … }. "coxswain api init" makes one`,
      );
      return 1;
    },
  });
