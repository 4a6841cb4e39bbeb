import { findResource } from "@coxswain/api/resources";
import type { AnyKind } from "@coxswain/kinds";
import { deprecationWarning } from "./deprecation.js";
import type { KindSource } from "./router.js";

/** The built-in kinds by the names in a path; their verbs are in the tables. */
export function createBuiltInKinds(kinds: readonly AnyKind[]): KindSource {
  const byName = new Map(kinds.map((kind) => [`${kind.group}/${kind.version}/${kind.resource}`, kind]));
  const groups = new Set(kinds.map(({ group }) => group));
  const warnings = new Map(kinds.map((kind) => [kind, deprecationWarning(kind)]));
  return {
    find: (group, version, resource) => byName.get(`${group}/${version}/${resource}`),
    hasGroup: (group) => groups.has(group),
    warning: (kind) => warnings.get(kind),
    verbs(kind, subresource) {
      const info = findResource(kind.group, kind.version, kind.resource);
      if (subresource === "") return info?.verbs;
      return info?.subresources.find(({ name }) => name === subresource)?.verbs;
    },
  };
}
