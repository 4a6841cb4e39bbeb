import { ownEntries, setOwn } from "@coxswain/apimachinery/own";
import { type SchemaNode, typeCodes } from "@coxswain/apimachinery/schema";

/** Which members of a struct are lists that are written even when empty, which are maps of bytes, and in which to look further. */
interface Plan {
  readonly bytes: string[];
  readonly lists: string[];
  readonly inner: { readonly name: string; readonly held: "alone" | "in a list" | "in a map"; readonly plan: Plan }[];
}

const plans = new WeakMap<SchemaNode, Plan>();

/**
 * An empty list that is always written comes back from the store as null: built-in objects are kept as protobuf upstream,
 * which does not distinguish an empty list from none; nor, among the values of a map, no bytes from none. Changes the object in place.
 */
export function forgetEmptyLists(object: unknown, node: SchemaNode): void {
  forget(object as Record<string, unknown>, planOf(node));
}

function forget(object: Record<string, unknown>, { bytes, lists, inner }: Plan): void {
  for (const name of bytes)
    for (const [key, value] of ownEntries<unknown>(object[name] as Record<string, unknown> | undefined))
      if (value === null) setOwn(object[name] as Record<string, unknown>, key, "");
  for (const name of lists) {
    const value = object[name];
    if (Array.isArray(value) && value.length === 0) object[name] = null;
  }
  for (const { name, held, plan } of inner) {
    const value = object[name];
    if (typeof value !== "object" || value === null) continue;
    const items = held === "alone" ? [value] : Object.values(value);
    for (const item of items)
      if (typeof item === "object" && item !== null) forget(item as Record<string, unknown>, plan);
  }
}

function planOf(node: SchemaNode): Plan {
  const known = plans.get(node);
  if (known) return known;
  const plan: Plan = { bytes: [], lists: [], inner: [] };
  plans.set(node, plan); // before its members: a type may hold itself
  for (const { name, type, omitEmpty } of node.fields) {
    if (type.code === typeCodes.list && !omitEmpty) plan.lists.push(name);
    if (type.code === typeCodes.map && type.element?.code === typeCodes.bytes) plan.bytes.push(name);
    const struct = type.code === typeCodes.struct ? type : type.element;
    if (struct?.code !== typeCodes.struct) continue;
    const within = planOf(struct);
    if (within.lists.length === 0 && within.bytes.length === 0 && within.inner.length === 0) continue;
    plan.inner.push({
      name,
      held: type.code === typeCodes.struct ? "alone" : type.code === typeCodes.map ? "in a map" : "in a list",
      plan: within,
    });
  }
  return plan;
}
