import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Recording } from "./answer.js";
import type { Case, ServerSettings } from "./case.js";
import { validateCase } from "./case.js";

export interface CaseFile {
  readonly path: string;
  readonly case: Case;
}

export const recordingPath = (casePath: string): string => casePath.replace(/\.json$/, ".recorded.json");

export function readCase(path: string): CaseFile {
  return { path, case: validateCase(JSON.parse(readFileSync(path, "utf8")) as Case, basename(path)) };
}

/** Every case in a folder, by name. */
export function readCases(folder: string | URL): CaseFile[] {
  const directory = typeof folder === "string" ? folder : fileURLToPath(folder);
  return readdirSync(directory)
    .filter((name) => name.endsWith(".json") && !name.endsWith(".recorded.json"))
    .sort()
    .map((name) => readCase(join(directory, name)));
}

/** Cases that one server can play. */
export function groupBySettings(
  files: readonly CaseFile[],
): { readonly settings: ServerSettings; readonly files: readonly CaseFile[] }[] {
  const groups = new Map<string, { settings: ServerSettings; files: CaseFile[] }>();
  for (const file of files) {
    const settings = file.case.server ?? {};
    const key = JSON.stringify(settings);
    const group = groups.get(key);
    if (group) group.files.push(file);
    else groups.set(key, { settings, files: [file] });
  }
  return [...groups.values()];
}

/** What upstream answered; undefined when it has not been recorded yet. */
export function readRecording(casePath: string): Recording | undefined {
  try {
    return JSON.parse(readFileSync(recordingPath(casePath), "utf8")) as Recording;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
