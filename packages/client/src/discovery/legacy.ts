import type { metaV1 } from "@coxswain/api/types";
import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import type { ApiSurface, DiscoveredGroup, DiscoveredResource } from "./api-surface.js";

// The documents of discovery before it was aggregated; kubectl keeps its cache on disk in this form.

export const groupOfVersions = ({ versions }: metaV1.APIVersions): metaV1.APIGroup => ({
  name: "",
  versions: versions.map((version) => ({ groupVersion: version, version })),
  ...(versions[0] !== undefined && { preferredVersion: { groupVersion: versions[0], version: versions[0] } }),
});

export const resourcesOfList = (list: metaV1.APIResourceList): DiscoveredResource[] =>
  list.resources.map(({ name, singularName, ...facts }) => ({ resource: name, singular: singularName, ...facts }));

/** As a list of groups and, by `group/version`, lists of resources. */
export function legacyDocuments({ groups }: ApiSurface): {
  groups: metaV1.APIGroupList;
  resources: ReadonlyMap<string, metaV1.APIResourceList>;
} {
  const resources = new Map<string, metaV1.APIResourceList>();
  const entry = (group: string, version: string): metaV1.GroupVersionForDiscovery => ({
    groupVersion: formatGroupVersion({ group, version }),
    version,
  });
  const list = groups.map(({ name, preferredVersion, versions }): metaV1.APIGroup => {
    for (const { version, resources: entries } of versions) {
      const groupVersion = formatGroupVersion({ group: name, version });
      resources.set(groupVersion, {
        kind: "APIResourceList",
        apiVersion: "v1",
        groupVersion,
        resources: entries.map(({ resource, singular = "", ...facts }) => ({
          name: resource,
          singularName: singular,
          ...(structuredClone(facts) as Omit<metaV1.APIResource, "name" | "singularName">),
        })),
      });
    }
    return {
      name,
      versions: versions.map(({ version }) => entry(name, version)),
      ...(preferredVersion !== undefined && { preferredVersion: entry(name, preferredVersion) }),
    };
  });
  return { groups: { kind: "APIGroupList", apiVersion: "v1", groups: list }, resources };
}

export function groupOfLegacy(
  group: metaV1.APIGroup,
  resourcesOf: (groupVersion: string) => readonly DiscoveredResource[] | undefined,
): DiscoveredGroup {
  return {
    name: group.name,
    ...(group.preferredVersion && { preferredVersion: group.preferredVersion.version }),
    versions: group.versions.flatMap(({ version, groupVersion }) => {
      const resources = resourcesOf(groupVersion);
      return resources === undefined ? [] : [{ version, resources }];
    }),
  };
}
