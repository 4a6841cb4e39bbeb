import type { GroupInfo } from "@coxswain/api/resources";
import type { ServedResource } from "../served-resource.js";
import {
  aggregatorPriority,
  customResourcePriority,
  groupVersionsOf,
  type RankedGroupVersion,
} from "./group-versions.js";

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
