import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseYamlDocuments } from "@coxswain/apimachinery/yaml";
import type { JsonObject } from "../record/index.js";

/** An object of a file, and where it stands. */
export interface Manifest {
  readonly file: string;
  readonly object: JsonObject;
}

/** Larger files hold data, not manifests. */
const largestFile = 6 << 20;

/** All objects in the YAML files at or below a path, in the order of their names. Templates and what cannot be read are passed over. */
export function readManifests(path: string, mayHold: (text: string) => boolean = () => true): Manifest[] {
  return filesBelow(path).flatMap((file) => {
    const text = readFileSync(file, "utf8");
    if (isTemplate(text) || !mayHold(text)) return [];
    return objectsOf(text).map((object) => ({ file, object }));
  });
}

/** Of Go's text/template, as charts have it; projects' own placeholders are values like any other. */
const isTemplate = (text: string): boolean =>
  ["{{-", "{{ .", "{{.", "{{ if", "{{ include", "{{ template"].some((mark) => text.includes(mark));

function filesBelow(path: string): string[] {
  const found = statSync(path);
  if (found.isFile()) return found.size <= largestFile && /\.ya?ml$/.test(path) ? [path] : [];
  if (!found.isDirectory()) return [];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}

function objectsOf(text: string): JsonObject[] {
  try {
    return parseYamlDocuments(text).flatMap(({ value }) => itemsOf(value as JsonObject | null));
  } catch {
    return []; // values of a chart, or a file that is meant to be wrong
  }
}

function itemsOf(object: JsonObject | null): JsonObject[] {
  if (typeof object !== "object" || object === null || Array.isArray(object)) return [];
  const { kind, items } = object;
  if (kind === "List" && Array.isArray(items)) return items.flatMap((item) => itemsOf(item as JsonObject | null));
  return typeof kind === "string" && typeof object["apiVersion"] === "string" ? [object] : [];
}
