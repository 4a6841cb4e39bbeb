import type { GroupInfo, ResourceInfo } from "@coxswain/api/resources";
import {
  aggregatorPriority,
  customResourcePriority,
  groupVersionsOf,
  type RankedGroupVersion,
} from "./discovery/group-versions.js";
import type { TypeSource } from "./schemas/collect-schemas.js";
import type { ServedResource } from "./served-resource.js";

/** A built-in resource as the documents want it. Its type is linked when something asks for it, not before. */
export function serveBuiltIn(info: ResourceInfo, types: TypeSource): ServedResource {
  const {
    group,
    version,
    resource,
    singular,
    kind,
    listKind,
    namespaced,
    shortNames,
    categories,
    verbs,
    subresources,
    hash,
  } = info;
  return {
    group,
    version,
    resource,
    singular,
    kind,
    listKind,
    namespaced,
    shortNames,
    categories,
    verbs,
    subresources,
    hash,
    get schema() {
      return types.get(info.schema);
    },
  };
}

/** The group-versions of some resources with their priorities. Those that `groups` does not know are custom resources'. */
export function rankGroupVersions(
  resources: readonly ServedResource[],
  groups: readonly GroupInfo[],
): RankedGroupVersion[] {
  const known = new Map(
    groups.flatMap(({ group, priority, versions }) =>
      versions.map(
        (of) => [`${group}/${of.version}`, { groupPriority: priority, versionPriority: of.priority }] as const,
      ),
    ),
  );
  return [...groupVersionsOf(resources).values()].map(([first]) => {
    const { group, version } = first!;
    const fallback = group === "apiregistration.k8s.io" ? aggregatorPriority : customResourcePriority;
    return { group, version, ...(known.get(`${group}/${version}`) ?? fallback) };
  });
}
