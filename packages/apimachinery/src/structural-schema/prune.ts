import { getOwn, setOwn } from "../own/index.js";
import { isList, isObject, type JsonObject } from "../patch/json-value.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { asResourceRoot, metaMembers, type Structural } from "./structural.js";

export interface Pruned {
  /** The object itself if nothing was pruned. */
  readonly object: JsonObject;
  /** Where members were that the schema does not have: `spec.a[0].b`, sorted. */
  readonly unknown: readonly string[];
}

/** A resource without the members that its schema does not have. Its metadata is not looked into. */
export function pruneUnknown(object: JsonObject, schema: Structural): Pruned {
  const unknown: string[] = [];
  const pruned = pruneValue(object, asResourceRoot(schema), { path: "", unknown });
  return { object: pruned as JsonObject, unknown: unknown.sort(compareUtf8) };
}

interface Place {
  readonly path: string;
  readonly unknown: string[];
}

const memberOf = ({ path, unknown }: Place, name: string): Place => ({
  path: path === "" ? name : `${path}.${name}`,
  unknown,
});
const itemOf = ({ path, unknown }: Place, index: number): Place => ({ path: `${path}[${index}]`, unknown });

export function pruneValue(value: unknown, schema: Structural | undefined, place: Place): unknown {
  if (schema?.preserveUnknown) return keepUnknown(value, schema, place);
  if (isList(value)) return mapItems(value, (item, index) => pruneValue(item, schema?.items, itemOf(place, index)));
  if (!isObject(value)) return value;
  return mapMembers(value, (member, name) => {
    if (schema?.embeddedResource && metaMembers.has(name)) return member;
    const own = schema?.properties.get(name);
    if (own) return pruneValue(member, own, memberOf(place, name));
    const rest = schema?.additionalProperties;
    if (rest !== undefined)
      return pruneValue(member, typeof rest === "object" ? rest : undefined, memberOf(place, name));
    if (!metaMembers.has(name) || place.path !== "") place.unknown.push(memberOf(place, name).path);
    return undefined;
  });
}

/** Unknown members stay; what the schema does name is pruned by its own schema again. */
function keepUnknown(value: unknown, schema: Structural | undefined, place: Place): unknown {
  if (schema === undefined) return value;
  if (isList(value)) return mapItems(value, (item, index) => keepUnknown(item, schema.items, itemOf(place, index)));
  if (!isObject(value)) return value;
  return mapMembers(value, (member, name) => {
    if (schema.embeddedResource && metaMembers.has(name)) return member;
    const own = schema.properties.get(name);
    const rest = schema.additionalProperties;
    if (own === undefined && rest === undefined) return member;
    return pruneValue(member, own ?? (typeof rest === "object" ? rest : undefined), memberOf(place, name));
  });
}

/** A copy with each item replaced; the list itself if none changes. */
export function mapItems(
  list: readonly unknown[],
  change: (item: unknown, index: number) => unknown,
): readonly unknown[] {
  const out = list.map(change);
  return out.some((item, index) => item !== list[index]) ? out : list;
}

/** A copy with each member replaced, or left out for undefined; the object itself if none changes. */
export function mapMembers(object: JsonObject, change: (member: unknown, name: string) => unknown): JsonObject {
  const out: Record<string, unknown> = {};
  let changed = false;
  for (const name of Object.keys(object)) {
    const before = getOwn<unknown>(object, name);
    const after = change(before, name);
    if (after !== before) changed = true;
    if (after !== undefined) setOwn(out, name, after);
  }
  return changed ? out : object;
}
