import { findResource } from "@coxswain/api/resources";
import { builtInTypes } from "@coxswain/api/tables";
import type { KindDefinition } from "./kind-definition.js";

export type KindFacts = Pick<KindDefinition, "group" | "version" | "kind" | "listKind" | "resource" | "namespaced" | "schema" | "storagePrefix">;

/** What the tables know of a built-in kind; its own file adds what it does. The type is linked at first use. */
export function builtInFacts(group: string, version: string, resource: string): KindFacts {
  const info = findResource(group, version, resource);
  if (!info?.storage) throw new Error(`the tables have no stored resource ${resource} in ${group || "core"}/${version}`);
  const { kind, listKind, namespaced, schema, storage } = info;
  return {
    group,
    version,
    kind,
    listKind,
    resource,
    namespaced,
    storagePrefix: storage.prefix,
    get schema() {
      return builtInTypes.get(schema);
    },
  };
}
