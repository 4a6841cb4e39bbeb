import type { SchemaNode } from "@coxswain/apimachinery/schema";
import type { AnyKind, CustomResourceFacts, OwnResourceFacts } from "@coxswain/kinds";

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
  /** Present on kinds of a server of one's own: the schemas that are published for it. */
  readonly own?: OwnResourceFacts;
}

/** One version of a kind as the documents describe it. Its type is linked when a document needs it, not before. */
export function servedResource(kind: AnyKind): ServedResource {
  const { group, version, resource, listKind, namespaced, facts } = kind;
  const { singular, shortNames, categories, verbs, subresources, hash, custom, own } = facts;
  return {
    group,
    version,
    resource,
    singular,
    kind: kind.kind,
    listKind,
    namespaced,
    shortNames,
    categories,
    verbs,
    subresources,
    hash,
    ...(custom && { custom }),
    ...(own && { own }),
    get schema() {
      return kind.schema;
    },
  };
}

/** "v1" or "apps/v1", as `apiVersion` has it. */
export function groupVersionOf(of: { readonly group: string; readonly version: string }): string {
  return of.group === "" ? of.version : `${of.group}/${of.version}`;
}

/** "/api/v1" or "/apis/apps/v1". */
export function rootPathOf(of: { readonly group: string; readonly version: string }): string {
  return of.group === "" ? `/api/${of.version}` : `/apis/${of.group}/${of.version}`;
}
