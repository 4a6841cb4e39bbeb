import type { JsonObject } from "../../record/index.js";
import { makeObject, type Schema } from "./make-object.js";

/** A kind of a project, and objects of it that may be tried, the project's own first. */
export interface CustomKind {
  readonly project: string;
  readonly definition: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespace: string;
  readonly schema: Schema;
  readonly candidates: readonly JsonObject[];
}

interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly schema?: { readonly openAPIV3Schema?: Schema };
}

interface Spec {
  readonly group: string;
  readonly scope: string;
  readonly names: { readonly plural: string; readonly kind: string };
  readonly versions: readonly Version[];
}

/** Webhooks that convert are not here: versions of these definitions differ by their name alone. */
export function withoutConversion(definition: JsonObject): JsonObject {
  return { ...definition, spec: { ...(definition["spec"] as JsonObject), conversion: { strategy: "None" } } };
}

/** @param preferred the version in which a server shows a kind, by `plural.group` */
export function chooseKind(
  { project, namespace, samples }: { project: string; namespace: string; samples: readonly JsonObject[] },
  definition: JsonObject,
  preferred: (plural: string, group: string) => string | undefined,
): CustomKind | undefined {
  const { group, scope, names, versions } = definition["spec"] as unknown as Spec;
  const version = preferred(names.plural, group);
  const schema = versions.find(({ name }) => name === version)?.schema?.openAPIV3Schema;
  if (version === undefined || schema === undefined) return undefined;
  const own = { apiVersion: `${group}/${version}`, kind: names.kind };
  const place = scope === "Namespaced" ? namespace : "";
  const metadata = { name: `sample-${names.plural}`, ...(place !== "" && { namespace: place }) };
  const found = samples.filter(({ apiVersion, kind }) => apiVersion === own.apiVersion && kind === own.kind);
  const made = makeObject(schema) as JsonObject;
  return {
    project,
    definition: `${names.plural}.${group}`,
    group,
    version,
    plural: names.plural,
    kind: names.kind,
    namespace: place,
    schema,
    // Some kinds take only objects of one name: that of the sample.
    candidates: [
      ...found.slice(0, 5).map((object) => ({ ...object, metadata: { ...metadata, name: nameIn(object) } })),
      { ...made, ...own, metadata },
    ],
  };
}

const nameIn = (object: JsonObject): string => String((object["metadata"] as JsonObject)["name"]);
