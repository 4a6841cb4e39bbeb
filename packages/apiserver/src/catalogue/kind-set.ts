import type { AnyKind } from "@coxswain/kinds";
import type { ApiSource } from "./api-source.js";

/** Kinds by the names in a path. What it holds may be replaced as a whole. */
export interface KindSet extends ApiSource {
  replace(kinds: readonly AnyKind[]): void;
}

export function createKindSet(initial: readonly AnyKind[] = []): KindSet {
  let kinds = initial;
  /** By group, version and resource. */
  let byName = indexed(initial);
  return {
    resolve({ group, version, resource }) {
      const kind = byName.get(group)?.get(version)?.get(resource);
      return kind && { as: "resource", kind };
    },
    hasGroup: (group) => byName.has(group),
    kinds: () => kinds,
    replace(next) {
      kinds = next;
      byName = indexed(next);
    },
  };
}

type Index = ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, AnyKind>>>;

function indexed(kinds: readonly AnyKind[]): Index {
  const byName = new Map<string, Map<string, Map<string, AnyKind>>>();
  for (const kind of kinds) child(child(byName, kind.group), kind.version).set(kind.resource, kind);
  return byName;
}

function child<V>(maps: Map<string, Map<string, V>>, key: string): Map<string, V> {
  let map = maps.get(key);
  if (!map) maps.set(key, (map = new Map()));
  return map;
}
