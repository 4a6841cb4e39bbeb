import { findResource, type ResourceInfo } from "@coxswain/api/resources";
import { builtInTypes } from "@coxswain/api/tables";
import type { KindDefinition, SelectableFields } from "./kind-definition.js";

type Facts = "group" | "version" | "kind" | "listKind" | "resource" | "namespaced" | "schema" | "storagePrefix" | "selectableFields";

/** What a kind does, beside what the tables know of it. */
export type KindBehaviour<T> = Omit<KindDefinition<T>, Facts> & {
  /** The object's values of the fields that the tables call selectable, without those of metadata. */
  readonly selectableValues?: (object: T) => Readonly<Record<string, string>>;
};

/**
 * A built-in kind: the facts of the tables and what its own files add.
 * Its type is linked when `schema` is first read, so that importing every kind costs next to nothing.
 */
export function builtInKind<T>(group: string, version: string, resource: string, { selectableValues, ...behaviour }: KindBehaviour<T>): KindDefinition<T> {
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
    ...behaviour,
    ...(selectableValues && { selectableFields: selectableFields(info, selectableValues) }),
    // Last, because a spread after it would read it.
    get schema() {
      return builtInTypes.get(schema);
    },
  };
}

const ofMetadata = new Set(["metadata.name", "metadata.namespace"]);

function selectableFields<T>(info: ResourceInfo, values: SelectableFields<T>["values"]): SelectableFields<T> {
  const aliases = new Map(Object.entries(info.fieldAliases ?? {}));
  const names = info.selectableFields.filter((name) => !ofMetadata.has(name) && !aliases.has(name));
  return { names, values, ...(aliases.size > 0 && { convert: (field) => aliases.get(field) }) };
}
