import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generateDefinitions, SourceError } from "@coxswain/schema-types";
import type { ProjectPlace } from "../project/subcommand.js";
import { type PlannedFile, writeChanged } from "../project/write-files.js";
import { type ApiProject, defineApiSubcommand } from "./api-project.js";
import { definitionsModule } from "./definitions-module.js";
import { registration } from "./registration.js";

/** The authority of the server's certificate, where `certificates` has made it. */
export const authorityFile = "pki/ca.crt";

export const generateSubcommand = defineApiSubcommand({
  name: "generate",
  takes: "",
  summary: "Writes definitions and registration from types.",
  description:
    "Reads api/<version>/*.ts and writes api/definitions.ts, with the schema, the names and the columns of every kind, and config/apiservices.yaml, each only where it changed.",
  flags: {},
  maxWords: 0,
  run: ({ project, ...place }) => generate(place, project),
});

export function generate(place: ProjectPlace, project: ApiProject): number {
  const files = plan(place, project);
  if (files === undefined) return 1;
  const written = writeChanged(place.directory, files);
  for (const path of written) place.print(`wrote ${path}`);
  if (written.length === 0) place.print("nothing changed");
  return 0;
}

/** Undefined: the types have errors, which were printed. */
function plan({ directory, printError }: ProjectPlace, { name }: ApiProject): PlannedFile[] | undefined {
  const read = (path: string): string | undefined =>
    existsSync(join(directory, path)) ? readFileSync(join(directory, path), "utf8") : undefined;
  try {
    const { definitions } = generateDefinitions(typeFilesIn(directory), read);
    return [
      definitionsModule(definitions),
      registration(definitions, { project: name, authority: read(authorityFile) }),
    ];
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    printError(error.message);
    return undefined;
  }
}

/** `api/<version>/*.ts` */
function typeFilesIn(directory: string): string[] {
  const entries = (folder: string) =>
    existsSync(join(directory, folder)) ? readdirSync(join(directory, folder), { withFileTypes: true }) : [];
  return entries("api")
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      entries(`api/${name}`)
        .filter((entry) => entry.isFile() && /(?<!\.d|\.test)\.ts$/.test(entry.name))
        .map((entry) => `api/${name}/${entry.name}`),
    )
    .sort();
}
