import { findResource, type ResourceInfo } from "@coxswain/api/resources";
import type { AnyKind } from "@coxswain/kinds";
import { deprecationWarning } from "./deprecation.js";

/** Where the kinds of a group-version are looked up: built-in ones, then custom ones. */
export interface KindSource {
  /** The hub, or one of its other versions (a VersionKind). */
  find(group: string, version: string, resource: string): AnyKind | undefined;
  hasGroup(group: string): boolean;
  /** The verbs of a resource or of one of its subresources; undefined: there is none. */
  verbs(kind: AnyKind, subresource: string): readonly string[] | undefined;
  /** What a client of the kind is warned of, whatever it does (that the kind is deprecated). */
  warning?(kind: AnyKind): string | undefined;
}

/** The built-in kinds by the names in a path; their verbs are in the tables. */
export function createBuiltInKinds(kinds: readonly AnyKind[]): KindSource {
  /** By group, version and resource. */
  const byName = new Map<string, Map<string, Map<string, AnyKind>>>();
  for (const kind of kinds) put(put(byName, kind.group), kind.version).set(kind.resource, kind);
  const warnings = new Map(kinds.map((kind) => [kind, deprecationWarning(kind)]));
  const infos = new Map<AnyKind, ResourceInfo | undefined>();
  return {
    find: (group, version, resource) => byName.get(group)?.get(version)?.get(resource),
    hasGroup: (group) => byName.has(group),
    warning: (kind) => warnings.get(kind),
    verbs(kind, subresource) {
      if (!infos.has(kind)) infos.set(kind, findResource(kind.group, kind.version, kind.resource));
      const info = infos.get(kind);
      return subresource === "" ? info?.verbs : info && verbsOf(info, subresource);
    },
  };
}

function put<V>(maps: Map<string, Map<string, V>>, key: string): Map<string, V> {
  let map = maps.get(key);
  if (!map) maps.set(key, (map = new Map()));
  return map;
}

const verbsOf = ({ subresources }: ResourceInfo, subresource: string): readonly string[] | undefined =>
  subresources.find(({ name }) => name === subresource)?.verbs;
