import type { ResourceInfo } from "@coxswain/api/resources";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import type { AnyKind, CustomResourceFacts, OwnResourceFacts } from "@coxswain/kinds";

type Name = Pick<ResourceInfo, "group" | "version" | "resource" | "kind" | "listKind" | "namespaced">;
type Facts = Pick<ResourceInfo, "singular" | "shortNames" | "categories" | "verbs" | "subresources" | "hash">;

/** One resource of one group-version, as discovery and OpenAPI describe it. Built-in and custom resources are alike here. */
export interface ServedResource extends Name, Facts {
  /** Its OpenAPI name is `schema.name`; of a custom resource `customTypeName` is taken. Linked when a document needs it, not before. */
  readonly schema: SchemaNode;
  /** Present on custom resources only. Their documents differ in small ways: no protobuf, no strategic merge patch, no old watch paths. */
  readonly custom?: CustomResourceFacts;
  /** Present on kinds of a server of one's own: the schemas that are published for it. */
  readonly own?: OwnResourceFacts;
}

/** One version of a kind as the documents describe it. */
export function servedResource(kind: AnyKind): ServedResource {
  const { custom, own } = kind.facts;
  return {
    ...membersOf(kind, kind.facts),
    ...(custom && { custom }),
    ...(own && { own }),
    get schema() {
      return kind.schema;
    },
  };
}

/** A built-in resource as the documents want it. */
export const serveBuiltIn = (info: ResourceInfo, types: { get(name: string): SchemaNode }): ServedResource => ({
  ...membersOf(info, info),
  get schema() {
    return types.get(info.schema);
  },
});

const membersOf = (
  { group, version, resource, kind, listKind, namespaced }: Name,
  { singular, shortNames, categories, verbs, subresources, hash }: Facts,
): Name & Facts => ({
  group,
  version,
  resource,
  singular,
  kind,
  listKind,
  namespaced,
  shortNames,
  categories,
  verbs,
  subresources,
  hash,
});

/** "v1" or "apps/v1", as `apiVersion` has it. */
export function groupVersionOf(of: { readonly group: string; readonly version: string }): string {
  return of.group === "" ? of.version : `${of.group}/${of.version}`;
}

/** "/api/v1" or "/apis/apps/v1". */
export function rootPathOf(of: { readonly group: string; readonly version: string }): string {
  return of.group === "" ? `/api/${of.version}` : `/apis/${of.group}/${of.version}`;
}
