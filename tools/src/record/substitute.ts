import type { Json } from "./json.js";
import { isJsonObject } from "./json.js";

const reference = /\$\{([^}]+)\}/g;

/** What `${…}` may refer to: the first word is looked up here, the rest are members of it. */
export type Scope = ReadonlyMap<string, Json>;

/** Replaces every `${…}` in the strings of a value. Throws for a reference that leads nowhere. */
export function substitute<T extends Json>(value: T, scope: Scope): T;
export function substitute(value: Json, scope: Scope): Json {
  if (typeof value === "string") return value.replaceAll(reference, (_, path: string) => resolve(path, scope));
  if (Array.isArray(value)) return value.map((item: Json) => substitute(item, scope));
  if (!isJsonObject(value)) return value;
  // fromEntries defines members, so that one called __proto__ stays a member.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, substitute(member, scope)]));
}

function resolve(path: string, scope: Scope): string {
  const [first = "", ...members] = path.split(".");
  let value: Json | undefined = scope.get(first);
  for (const member of members) {
    if (Array.isArray(value)) value = value[Number(member)];
    else value = isJsonObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
  }
  if (typeof value !== "string" && typeof value !== "number") throw new Error(`\${${path}} refers to nothing`);
  return String(value);
}
