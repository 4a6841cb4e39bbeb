import { builtInResources } from "@coxswain/api/resources";
import { stringifyJson } from "@coxswain/apimachinery/json";
import { type Project, readManifests, readProject } from "@coxswain/tools/crds";
import { moduleFolder } from "@coxswain/tools/upstream";
import { groupOf } from "../plan-order.js";
import { readObjects, type SourceObject } from "../read-objects.js";
import type { JsonObject } from "./mutants.test.support.js";

/** How many objects of one kind of a project are looked at. */
const mostOfAKind = 25;

export interface ProjectObjects {
  readonly definitions: readonly JsonObject[];
  /** All kinds that are served, each object once. */
  readonly manifests: readonly JsonObject[];
}

/** The manifests of a project's module: its definitions, its own sample objects and what it is installed with. */
export async function projectObjects(project: Project): Promise<ProjectObjects> {
  const { definitions } = (await readProject(project)) as { definitions: readonly JsonObject[] };
  const served = new Set([
    ...builtInResources.map(({ group, version, kind }) => `${group === "" ? "" : `${group}/`}${version} ${kind}`),
    ...definitions.flatMap(kindsOf),
  ]);
  const names = new Set<string>();
  const counts = new Map<string, number>();
  const manifests = readManifests(await moduleFolder(project.module)).flatMap(({ object }) => {
    const kind = `${String(object["apiVersion"])} ${String(object["kind"])}`;
    const { name, namespace } = (object["metadata"] ?? {}) as JsonObject;
    const key = `${groupOf(object as never)} ${String(object["kind"])} ${String(namespace ?? "default")}/${String(name)}`;
    const count = counts.get(kind) ?? 0;
    if (!served.has(kind) || names.has(key) || count >= mostOfAKind || isDefinition(object as JsonObject)) return [];
    names.add(key);
    counts.set(kind, count + 1);
    return [object as JsonObject];
  });
  return { definitions, manifests };
}

const isDefinition = ({ kind }: JsonObject): boolean => kind === "CustomResourceDefinition";

const kindsOf = ({ spec }: JsonObject): string[] => {
  const { group, names, versions } = spec as JsonObject;
  return (versions as readonly JsonObject[]).map(
    ({ name }) => `${String(group)}/${String(name)} ${String((names as JsonObject)["kind"])}`,
  );
};

/** As the command reads them, each from a file of its own, which is its own. */
export const asFiles = (objects: readonly JsonObject[], prefix: string): SourceObject[] =>
  objects.flatMap((object, index) => {
    const read = readObjects({ name: `${prefix}${index}`, text: stringifyJson(object) });
    return read.objects;
  });
