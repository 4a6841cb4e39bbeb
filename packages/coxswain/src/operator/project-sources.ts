import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReadSource } from "@coxswain/schema-types";

/** The sources of an operator's project. Paths are relative to it and have forward slashes. */
export interface ProjectSources {
  /** `api/<version>/*.ts`: types and their markers. */
  readonly api: readonly string[];
  /** `controllers/**\/*.ts`, `webhooks/**\/*.ts` and `main.ts`: only `@rbac` and `@webhook` count there. */
  readonly code: readonly string[];
  readonly read: ReadSource;
}

/** The module that `generate` writes beside the types, and therefore does not read. */
export const resourcesFile = "resources.ts";

export function findSources(directory: string): ProjectSources {
  const entries = (folder: string) =>
    existsSync(join(directory, folder)) ? readdirSync(join(directory, folder), { withFileTypes: true }) : [];
  const filesIn = (folder: string): string[] =>
    entries(folder).flatMap((entry) => (entry.isFile() && isSource(entry.name) ? [`${folder}/${entry.name}`] : []));
  const foldersIn = (folder: string): string[] =>
    entries(folder).flatMap((entry) =>
      entry.isDirectory() && entry.name !== "node_modules" ? [`${folder}/${entry.name}`] : [],
    );
  const filesBelow = (folder: string): string[] => [...filesIn(folder), ...foldersIn(folder).flatMap(filesBelow)];
  const api = foldersIn("api")
    .flatMap(filesIn)
    .filter((path) => !path.endsWith(`/${resourcesFile}`));
  const main = existsSync(join(directory, "main.ts")) ? ["main.ts"] : [];
  return {
    api: api.sort(),
    code: [...filesBelow("controllers").sort(), ...filesBelow("webhooks").sort(), ...main],
    read: (path) => {
      const file = join(directory, path);
      return existsSync(file) ? readFileSync(file, "utf8") : undefined;
    },
  };
}

const isSource = (name: string): boolean =>
  name.endsWith(".ts") && !name.endsWith(".d.ts") && !name.endsWith(".test.ts");
