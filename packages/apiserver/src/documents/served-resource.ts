import type { SchemaNode } from "@coxswain/apimachinery/schema";

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface ServedSubresource {
  readonly name: string;
  /** What a request to it carries: the parent's kind, or another (`Scale`, `Eviction`, `PodExecOptions`). */
  readonly kind: GroupVersionKind;
  readonly verbs: readonly string[];
}

/** One resource of one group-version, as discovery and OpenAPI describe it. Built-in and custom resources are alike here. */
export interface ServedResource {
  /** "" for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural name, as in the path. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly ServedSubresource[];
  /** The storage version hash; "" where nothing is stored. */
  readonly hash: string;
  /** Its OpenAPI name is `schema.name`; of a custom resource `customTypeName` is taken. */
  readonly schema: SchemaNode;
  /** Present on custom resources only. Their documents differ in small ways: no protobuf, no strategic merge patch, no old watch paths. */
  readonly custom?: CustomResourceFacts;
}

export interface CustomResourceFacts {
  /** `openAPIV3Schema` of this version, as the definition has it; undefined where there is none, or it is not structural. */
  readonly openAPIV3Schema: Readonly<Record<string, unknown>> | undefined;
  /** JSON paths of the version's `selectableFields`. @default none */
  readonly selectableFields?: readonly string[];
}

/** "v1" or "apps/v1", as `apiVersion` has it. */
export function groupVersionOf(of: { readonly group: string; readonly version: string }): string {
  return of.group === "" ? of.version : `${of.group}/${of.version}`;
}

/** "/api/v1" or "/apis/apps/v1". */
export function rootPathOf(of: { readonly group: string; readonly version: string }): string {
  return of.group === "" ? `/api/${of.version}` : `/apis/${of.group}/${of.version}`;
}
