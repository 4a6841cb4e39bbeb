import { readFileSync } from "node:fs";
import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { parseYamlDocuments } from "@coxswain/apimachinery/yaml";
import { manifestFiles } from "../command/manifest-files.js";

/** A file that is no YAML, or a definition in a version that no server takes any more. */
export class DefinitionFileError extends Error {
  override readonly name = "DefinitionFileError";
}

/** The CustomResourceDefinitions of a YAML or JSON file, or of all such files below a folder; other objects are passed over. */
export function readDefinitions(path: string): CustomResourceDefinition[] {
  const files = manifestFiles(path);
  if (!files) throw new DefinitionFileError(`there is no file or folder ${path}`);
  return files.flatMap(definitionsIn);
}

function definitionsIn(file: string): CustomResourceDefinition[] {
  let documents: unknown[];
  try {
    documents = parseYamlDocuments(readFileSync(file, "utf8")).map(({ value }) => value);
  } catch (error) {
    throw new DefinitionFileError(`${file}: ${(error as Error).message}`, { cause: error });
  }
  return documents.flatMap(itemsOf).flatMap((object) => {
    if (object.kind !== "CustomResourceDefinition") return [];
    const named = `${file}: CustomResourceDefinition ${JSON.stringify(object.metadata?.name)}`;
    if (object.apiVersion !== "apiextensions.k8s.io/v1")
      throw new DefinitionFileError(`${named} is of ${object.apiVersion}: convert it to apiextensions.k8s.io/v1`);
    const { spec } = object;
    if (!spec?.group || !spec.names?.kind || !spec.names.plural || !Array.isArray(spec.versions))
      throw new DefinitionFileError(`${named} needs spec.group, spec.names.kind, spec.names.plural and spec.versions`);
    return [object as CustomResourceDefinition];
  });
}

type Manifest = Partial<CustomResourceDefinition> & { apiVersion?: string; kind?: string; items?: unknown };

/** A List, such as `kubectl get -o yaml` prints, stands for its items. */
function itemsOf(value: unknown): Manifest[] {
  if (typeof value !== "object" || value === null) return [];
  const object = value as Manifest;
  return object.kind?.endsWith("List") && Array.isArray(object.items) ? object.items.flatMap(itemsOf) : [object];
}
