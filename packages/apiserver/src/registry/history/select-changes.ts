import type { FieldSelector } from "@coxswain/apimachinery/selector";
import type { AnyKind } from "@coxswain/kinds";
import type { ChangeQuery, ChronicleChange } from "@coxswain/storage/chronicle";
import { collectionPrefix, objectKey } from "../../cache/object-key.js";
import { registryPrefix } from "../../cache/registry-prefix.js";
import type { KeyOwner } from "../contract/key-owners.js";
import type { Change } from "./change.js";

/** A resource whose definition was deleted. */
export interface GoneResource {
  readonly group: string;
  readonly resource: string;
}

/** Whether changes of all resources in all namespaces are looked through. */
export const isAll = ({
  namespace,
  fields,
}: {
  readonly namespace: string;
  readonly fields: FieldSelector | undefined;
}): boolean =>
  namespace === "" &&
  fields?.requiresExactMatch("object.resource") === undefined &&
  fields?.requiresExactMatch("object.kind") === undefined;

/** Where in the chronicle the selected changes can be: the fewer keys it names, the fewer blocks are read. */
export function planQuery(
  kinds: readonly AnyKind[],
  {
    namespace,
    fields,
    gone,
  }: {
    readonly namespace: string;
    readonly fields: FieldSelector | undefined;
    readonly gone: readonly GoneResource[];
  },
): Pick<ChangeQuery, "keys" | "prefixes"> {
  if (isAll({ namespace, fields })) return {};
  const resource = fields?.requiresExactMatch("object.resource");
  const kind = fields?.requiresExactMatch("object.kind");
  const name = fields?.requiresExactMatch("object.name");
  const isNamed = (each: GoneResource): boolean =>
    resource === undefined || resource === each.resource || resource === `${each.resource}.${each.group}`;
  const wanted = kinds.filter(
    (each) => isNamed(each) && (kind === undefined || kind === each.kind) && (namespace === "" || each.namespaced),
  );
  const below = namespace === "" ? "" : `${namespace}/`;
  const goneBelow = gone.filter(isNamed).map((each) => `${registryPrefix}${each.group}/${each.resource}/${below}`);
  const isNarrow = resource !== undefined || kind !== undefined;
  if (isNarrow && name !== undefined && wanted.every((each) => !each.namespaced || namespace !== ""))
    return {
      keys: wanted.map((each) => objectKey(each, namespace, name)),
      ...(goneBelow.length > 0 && { prefixes: goneBelow }),
    };
  return { prefixes: [...wanted.map((each) => collectionPrefix(each, namespace)), ...goneBelow] };
}

/**
 * Whether a change can be selected, by what is known of it without its value: of a long history most are passed over by it, and what
 * stood there before is read for the others alone.
 */
export function mayBeSelected(fields: FieldSelector | undefined, change: ChronicleChange, owner: KeyOwner): boolean {
  return (fields?.requirements ?? []).every(({ field, operator, value }) => {
    const possible = possibleValues(field, change, owner);
    return possible === undefined || possible.some((each) => (each === value) === (operator !== "!="));
  });
}

/** Undefined: the value of the change is needed for it. */
function possibleValues(
  field: string,
  { note, type, version }: ChronicleChange,
  { resource, group, kind, namespace, name }: KeyOwner,
): readonly string[] | undefined {
  switch (field) {
    case "metadata.namespace":
      return [namespace];
    case "object.resource":
      return [resource, `${resource}.${group}`];
    case "object.kind":
      return kind === "" ? undefined : [kind];
    case "object.name":
      return [name];
    case "user":
    case "manager":
    case "verb":
      return [note?.[field] ?? ""];
    case "type":
      return type === "delete" ? ["Deleted"] : version === 1 ? ["Created"] : ["Updated", "DeletionRequested"];
    default:
      return undefined;
  }
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
