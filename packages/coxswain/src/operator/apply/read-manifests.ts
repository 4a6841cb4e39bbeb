import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { parseYamlDocuments } from "@coxswain/apimachinery/yaml";

export type Manifest = KubernetesObject & { readonly apiVersion: string; readonly kind: string };

/** A file that is no YAML, or holds something else than objects. */
export class ManifestError extends Error {
  override readonly name = "ManifestError";
}

/** The objects of the YAML files in some folders of a project, by folder, file and place; folders that are not there have none. */
export const readManifests = (directory: string, folders: readonly string[]): Manifest[] =>
  folders.flatMap((folder) =>
    (existsSync(join(directory, folder)) ? readdirSync(join(directory, folder)) : [])
      .filter((name) => name.endsWith(".yaml") && name !== "kustomization.yaml")
      .sort()
      .flatMap((name) => manifestsOf(`${folder}/${name}`, readFileSync(join(directory, folder, name), "utf8"))),
  );

/** @throws ManifestError */
export function manifestsOf(path: string, text: string): Manifest[] {
  let documents: unknown[];
  try {
    documents = parseYamlDocuments(text).map(({ value }) => value);
  } catch (error) {
    throw new ManifestError(`${path}: ${(error as Error).message}`, { cause: error });
  }
  return documents
    .filter((value) => value !== null && value !== undefined)
    .map((value) => {
      const { apiVersion, kind, metadata } = value as KubernetesObject;
      if (!apiVersion || !kind || !metadata?.name)
        throw new ManifestError(`${path}: an object has no apiVersion, kind or metadata.name`);
      return value as Manifest;
    });
}
