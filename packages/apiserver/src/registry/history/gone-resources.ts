import type { AnyKind } from "@coxswain/kinds";
import type { Chronicle } from "@coxswain/storage/chronicle";
import { registryPrefix } from "../../cache/registry-prefix.js";
import type { GoneResource } from "./select-changes.js";

const definitions = `${registryPrefix}apiextensions.k8s.io/customresourcedefinitions/`;

/** Resources that were defined once and are not served now: their objects have a history all the same. */
export async function goneResources(
  chronicle: Chronicle,
  kinds: readonly AnyKind[],
  signal: AbortSignal | undefined,
): Promise<GoneResource[]> {
  const nameOf = ({ resource, group }: GoneResource): string => `${resource}.${group}`;
  const served = new Set(kinds.map(nameOf));
  const gone = new Map<string, GoneResource>();
  for await (const portion of chronicle.changes({ prefixes: [definitions] }, signal))
    for (const { key, type } of portion) {
      // A definition is called as its resource and group.
      const name = key.slice(definitions.length);
      const dot = name.indexOf(".");
      if (type !== "delete" || served.has(name) || dot < 0) continue;
      gone.set(name, { resource: name.slice(0, dot), group: name.slice(dot + 1) });
    }
  return [...gone.values()];
}
