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
  const pruned = pruneValue(object, asResourceRoot(schema), { unknown });
  return { object: pruned as JsonObject, unknown: unknown.sort(compareUtf8) };
}

/** Where a value is. Its path is written only where something is unknown: most lists have nothing of that. */
interface Place {
  readonly unknown: string[];
  /** Undefined: the object itself. */
  readonly above?: Place;
  /** The name of a member, or the index of an item. */
  readonly step?: string | number;
}

const below = (above: Place, step: string | number): Place => ({ unknown: above.unknown, above, step });

function pathOf(place: Place): string {
  const steps: (string | number)[] = [];
  for (let at: Place | undefined = place; at?.step !== undefined; at = at.above) steps.push(at.step);
  let path = "";
  for (const step of steps.reverse()) path += typeof step === "number" ? `[${step}]` : path === "" ? step : `.${step}`;
  return path;
}

/** Nothing can be unknown in a value without members. */
const isScalar = (value: unknown): boolean => typeof value !== "object" || value === null;

export function pruneValue(value: unknown, schema: Structural | undefined, place: Place): unknown {
  if (isScalar(value)) return value;
  if (schema?.preserveUnknown) return keepUnknown(value, schema, place);
  if (isList(value))
    return mapItems(value, (item, index) =>
      isScalar(item) ? item : pruneValue(item, schema?.items, below(place, index)),
    );
  if (!isObject(value)) return value;
  return mapMembers(value, (member, name) => {
    if (schema?.embeddedResource && metaMembers.has(name)) return member;
    const own = schema?.properties.get(name);
    if (own) return isScalar(member) ? member : pruneValue(member, own, below(place, name));
    const rest = schema?.additionalProperties;
    if (rest !== undefined) return pruneValue(member, typeof rest === "object" ? rest : undefined, below(place, name));
    if (!metaMembers.has(name) || place.step !== undefined) place.unknown.push(pathOf(below(place, name)));
    return undefined;
  });
}

/** Unknown members stay; what the schema does name is pruned by its own schema again. */
function keepUnknown(value: unknown, schema: Structural | undefined, place: Place): unknown {
  if (schema === undefined) return value;
  if (isList(value)) return mapItems(value, (item, index) => keepUnknown(item, schema.items, below(place, index)));
  if (!isObject(value)) return value;
  return mapMembers(value, (member, name) => {
    if (schema.embeddedResource && metaMembers.has(name)) return member;
    const own = schema.properties.get(name);
    const rest = schema.additionalProperties;
    if (own === undefined && rest === undefined) return member;
    return pruneValue(member, own ?? (typeof rest === "object" ? rest : undefined), below(place, name));
  });
}

/** A copy with each item replaced; the list itself if none changes. */
export function mapItems(
  list: readonly unknown[],
  change: (item: unknown, index: number) => unknown,
): readonly unknown[] {
  let out: unknown[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = change(list[index], index);
    if (item !== list[index]) out ??= list.slice(0, index);
    out?.push(item);
  }
  return out ?? list;
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
