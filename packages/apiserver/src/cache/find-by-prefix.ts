import { registryPrefix } from "./registry-prefix.js";

/** What belongs to a key of the store, by the resource's prefix: one segment of the key or two (`services/specs`). */
export function findByPrefix<T>(byPrefix: ReadonlyMap<string, T>, key: string): T | undefined {
  const one = key.indexOf("/", registryPrefix.length);
  if (one < 0) return undefined;
  const known = byPrefix.get(key.slice(registryPrefix.length, one));
  if (known) return known;
  const two = key.indexOf("/", one + 1);
  return two < 0 ? undefined : byPrefix.get(key.slice(registryPrefix.length, two));
}
