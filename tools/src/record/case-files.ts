import { readdirSync, readFileSync } from "node:fs";
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

/**
 * Every case in a folder and the folders in it, by name: moving a case to another folder does not change the order of play.
 * Names are unique, since the namespaces of a case are called after it.
 */
export function readCases(folder: string | URL): CaseFile[] {
  const directory = typeof folder === "string" ? folder : fileURLToPath(folder);
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".json") && !path.endsWith(".recorded.json"))
    .map((path) => ({ path, name: basename(path) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  files.forEach(({ path, name }, index) => {
    const next = files[index + 1];
    if (next?.name === name) throw new Error(`two cases have one name: ${path} and ${next.path}`);
  });
  return files.map(({ path }) => readCase(join(directory, path)));
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
