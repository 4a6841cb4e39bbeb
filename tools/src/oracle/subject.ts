import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { builtInGroups, builtInResources, type ResourceInfo } from "@coxswain/api/resources";
import type { Json, JsonObject } from "../record/index.js";

/** A resource in question and the objects from which its cases are made. */
export interface Subject {
  readonly info: ResourceInfo;
  /** Valid and rich, without kind and apiVersion. */
  readonly objects: readonly JsonObject[];
  /** Paths, without indices, whose members are left alone. */
  readonly skip: readonly string[];
  /** Lists, by their paths, of which every item is changed; of others the first two. */
  readonly whole: readonly string[];
}

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
/** Ours win: they are made for a whole server, the others for a kind by itself. */
const folders = [`${root}/tools/src/oracle/objects`, `${root}/packages/kinds/test/examples`];

/**
 * "deployments.apps", "pods": the resource as people name it; with its version,
 * "horizontalpodautoscalers.v1.autoscaling", where that is not the preferred one.
 */
export function subjectName({ info }: { readonly info: ResourceInfo }): string {
  const preferred = builtInGroups
    .find(({ group }) => group === info.group)
    ?.versions.find(({ servedByDefault }) => servedByDefault)?.version;
  return [
    info.resource,
    ...(preferred === info.version ? [] : [info.version]),
    ...(info.group === "" ? [] : [info.group]),
  ].join(".");
}

/** "core", "apps", "networking.k8s.io". */
export const groupName = ({ group }: ResourceInfo): string => (group === "" ? "core" : group);

/** Whether objects stay; reviews and bindings are only answered. */
export const isStored = ({ info }: { readonly info: ResourceInfo }): boolean => info.storage !== undefined;

/** What can be asked about: served by default, and with objects to start from. In the tables' order. */
export function readSubjects(): Subject[] {
  return builtInResources
    .filter((info) => info.servedByDefault && info.verbs.includes("create"))
    .flatMap((info) => {
      const file = folders.map((folder) => `${folder}/${subjectName({ info })}.json`).find(existsSync);
      if (file === undefined) return [];
      // "@-90s" is so long ago, where a kind is tried with a clock of its own.
      const given = JSON.parse(
        readFileSync(file, "utf8").replaceAll(
          /"@-\w+(\.\d+)?"/g,
          (_, micro?: string) => `"2026-01-01T00:00:00${micro === undefined ? "" : ".000000"}Z"`,
        ),
      ) as { objects?: JsonObject[]; skip?: string[]; whole?: string[] };
      return [{ info, objects: given.objects ?? [], skip: given.skip ?? [], whole: given.whole ?? [] }];
    });
}

/** The object as it is sent, with a name and a namespace of its own. What does not stay needs neither. */
export function completeObject({ info }: Subject, base: number, object: JsonObject): JsonObject {
  const given = object["metadata"] as JsonObject | undefined;
  const metadata = isStored({ info })
    ? { name: `example-${base}`, ...given, ...(info.namespaced && { namespace: namespaceOf({ info }, base) }) }
    : { ...given };
  return {
    kind: info.kind,
    apiVersion: info.group === "" ? info.version : `${info.group}/${info.version}`,
    ...object,
    metadata,
  } as Json as JsonObject;
}

/** A namespace for each object, so that none meets another's. */
export const namespaceOf = ({ info }: { readonly info: ResourceInfo }, base: number): string =>
  `oracle-${info.resource}-${info.version}-${base}`.slice(0, 63);

export function pathOf(
  { info }: { readonly info: ResourceInfo },
  base: number,
  name?: string,
  subresource?: string,
): string {
  const api = info.group === "" ? `/api/${info.version}` : `/apis/${info.group}/${info.version}`;
  const namespace = info.namespaced ? `/namespaces/${namespaceOf({ info }, base)}` : "";
  return `${api}${namespace}/${info.resource}${name === undefined ? "" : `/${name}`}${subresource === undefined ? "" : `/${subresource}`}`;
}

export const nameOf = (subject: Subject, base: number): string =>
  ((completeObject(subject, base, subject.objects[base] ?? {})["metadata"] as JsonObject)["name"] as
    | string
    | undefined) ?? "";
