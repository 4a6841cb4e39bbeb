import type { FieldSelector } from "@coxswain/apimachinery/selector";
import type { AnyKind } from "@coxswain/kinds";
import type { ChangeQuery } from "@coxswain/storage/chronicle";
import { collectionPrefix, objectKey } from "../../cache/object-key.js";
import type { Change } from "./change.js";

/** Where in the chronicle the selected changes can be: the fewer keys it names, the fewer blocks are read. */
export function planQuery(
  kinds: readonly AnyKind[],
  { namespace, fields }: { readonly namespace: string; readonly fields: FieldSelector | undefined },
): Pick<ChangeQuery, "keys" | "prefixes"> {
  const resource = fields?.requiresExactMatch("object.resource");
  const kind = fields?.requiresExactMatch("object.kind");
  const name = fields?.requiresExactMatch("object.name");
  const wanted = kinds.filter(
    (each) =>
      (resource === undefined || resource === each.resource || resource === `${each.resource}.${each.group}`) &&
      (kind === undefined || kind === each.kind) &&
      (namespace === "" || each.namespaced),
  );
  const isNarrow = resource !== undefined || kind !== undefined;
  if (isNarrow && name !== undefined && wanted.every((each) => !each.namespaced || namespace !== ""))
    return { keys: wanted.map((each) => objectKey(each, namespace, name)) };
  if (isNarrow || namespace !== "") return { prefixes: wanted.map((each) => collectionPrefix(each, namespace)) };
  return {};
}

/** Whether a change is selected by its fields. */
export function selectsChange(fields: FieldSelector | undefined, change: Change): boolean {
  return (fields?.requirements ?? []).every(({ field, operator, value }) =>
    operator === "!=" ? !hasValue(change, field, value) : hasValue(change, field, value),
  );
}

function hasValue({ metadata, object, ...change }: Change, field: string, value: string): boolean {
  switch (field) {
    case "metadata.name":
      return metadata.name === value;
    case "metadata.namespace":
      return (metadata.namespace ?? "") === value;
    case "object.resource":
      return value === object.resource || value.startsWith(`${object.resource}.`);
    case "object.apiVersion":
      return object.apiVersion === value;
    case "object.kind":
      return object.kind === value;
    case "object.name":
      return object.name === value;
    case "object.uid":
      return object.uid === value;
    case "path":
      return change.paths.some(
        ({ path }) => path === value || (/^[.[]/.test(path.slice(value.length)) && path.startsWith(value)),
      );
    case "user":
    case "manager":
    case "type":
    case "verb":
      return (change[field] ?? "") === value;
    default:
      return false;
  }
}
