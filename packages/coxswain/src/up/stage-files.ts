import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseYamlDocuments } from "@coxswain/apimachinery/yaml";
import { FlagError } from "@coxswain/component/flags";
import { checkStage, type StageObject } from "@coxswain/kubelet";

/**
 * KWOK's Stages from files and folders: of a folder all YAML and JSON files in it but kustomization.yaml, by name.
 * @throws FlagError that names the file, where it has anything else or a Stage that cannot be played
 */
export function readStages(paths: readonly string[]): StageObject[] {
  return paths.flatMap(filesOf).flatMap((file) => {
    try {
      return parseYamlDocuments(readFileSync(file, "utf8")).map(({ value }) => stageOf(value));
    } catch (error) {
      throw new FlagError(`--stages: ${file}: ${(error as Error).message}`);
    }
  });
}

function filesOf(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path)
      .filter((name) => /\.(ya?ml|json)$/.test(name) && !name.startsWith("kustomization."))
      .sort()
      .map((name) => join(path, name));
  } catch (error) {
    throw new FlagError(`--stages: ${(error as Error).message}`);
  }
}

function stageOf(value: unknown): StageObject {
  const object = value as StageObject;
  if (object.kind !== "Stage" || object.apiVersion !== "kwok.x-k8s.io/v1alpha1")
    throw new Error(
      `expected a Stage of kwok.x-k8s.io/v1alpha1, found ${object.kind ?? "nothing"} of ${object.apiVersion ?? "no version"}`,
    );
  checkStage(object);
  return object;
}
