import { isConditionTrue } from "../apiextensions/custom-resource-definition/conditions.js";
import type { KindDefinition } from "../definition/kind-definition.js";
import type { StoredForm } from "../definition/stored-form.js";
import { type CallConversionWebhook, convertObjects } from "./conversion/convert-objects.js";
import { type CustomKindDeps, customKind } from "./custom-kind.js";
import type { CustomObject } from "./custom-object.js";
import type { Definition } from "./version-spec.js";

export interface CustomResourceDeps extends Omit<CustomKindDeps, "storedForm"> {
  /** Makes the uid of a ConversionReview. */
  uid(): string;
  /** Sends a ConversionReview; resolves to the parsed answer. Not called for strategy None. */
  callWebhook: CallConversionWebhook;
}

/** A custom resource in all its versions, ready to be served. */
export interface CustomResource {
  /** The version that is written to the store; it need not be served. */
  readonly stored: KindDefinition<CustomObject>;
  readonly served: readonly KindDefinition<CustomObject>[];
}

/** The kinds that a definition makes, one per version. Its names must have been accepted, and one version be stored. */
export function customResource(definition: Definition, deps: CustomResourceDeps): CustomResource {
  const { group, versions = [] } = definition.spec;
  const kinds = new Map<string, KindDefinition<CustomObject>>();
  const storedForm = versions.length > 1 ? createStoredForm(definition, kinds, deps) : undefined;
  const isEnding = isConditionTrue(definition, "Terminating");
  for (const version of versions) {
    const kind = customKind(definition, version, { ...deps, ...(storedForm && { storedForm }) });
    kinds.set(`${group}/${version.name}`, isEnding ? { ...kind, refuseCreation } : kind);
  }
  const kindsOf = (member: "storage" | "served"): KindDefinition<CustomObject>[] =>
    versions.filter((version) => version[member]).flatMap(({ name }) => kinds.get(`${group}/${name}`) ?? []);
  const [stored] = kindsOf("storage");
  if (!stored) throw new Error(`the definition ${definition.metadata.name} stores no version`);
  return { stored, served: kindsOf("served") };
}

const refuseCreation = "create not allowed while custom resource definition is terminating";

function createStoredForm(
  { spec }: Definition,
  kinds: ReadonlyMap<string, KindDefinition<CustomObject>>,
  deps: CustomResourceDeps,
): StoredForm {
  const apiVersions = (spec.versions ?? []).map(({ name }) => `${spec.group}/${name}`);
  const known = new Set(apiVersions);
  const apiVersion = `${spec.group}/${(spec.versions ?? []).find(({ storage }) => storage)?.name}`;
  return {
    apiVersion,
    apiVersions,
    convertsLabels: spec.conversion?.strategy === "Webhook",
    typesOf: (name) => kinds.get(name),
    convert: (objects, to) => convertObjects(objects, { apiVersion: to, known, conversion: spec.conversion, ...deps }),
  };
}
