import { groupVersionOf, type ServedResource } from "../served-resource.js";
import { compareText, type RankedGroupVersion, rankGroups } from "./group-versions.js";

export interface APIVersions {
  kind: "APIVersions";
  versions: string[];
  serverAddressByClientCIDRs: { clientCIDR: string; serverAddress: string }[];
}

/** `/api`. `serverAddress` is host and port by which clients reach this server. Like upstream's it carries no apiVersion. */
export function apiVersions(serverAddress: string): APIVersions {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
  };
}

interface GroupVersionForDiscovery {
  groupVersion: string;
  version: string;
}

interface GroupMembers {
  name: string;
  versions: GroupVersionForDiscovery[];
  preferredVersion: GroupVersionForDiscovery;
}

export interface APIGroupList {
  kind: "APIGroupList";
  apiVersion: "v1";
  groups: GroupMembers[];
}

export interface APIGroup extends GroupMembers {
  kind: "APIGroup";
  apiVersion: "v1";
}

/** `/apis`. */
export function apiGroupList(groupVersions: readonly RankedGroupVersion[]): APIGroupList {
  return { kind: "APIGroupList", apiVersion: "v1", groups: rankGroups(groupVersions).map(groupMembers) };
}

/** `/apis/<group>`; undefined when nothing of the group is served. */
export function apiGroup(group: string, groupVersions: readonly RankedGroupVersion[]): APIGroup | undefined {
  const [found] = rankGroups(groupVersions.filter((of) => of.group === group));
  return found && { kind: "APIGroup", apiVersion: "v1", ...groupMembers(found) };
}

function groupMembers({ group, versions }: { group: string; versions: string[] }): GroupMembers {
  const listed = versions.map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: listed, preferredVersion: listed[0]! };
}

export interface APIResource {
  name: string;
  singularName: string;
  namespaced: boolean;
  group?: string;
  version?: string;
  kind: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  storageVersionHash?: string;
}

export interface APIResourceList {
  kind: "APIResourceList";
  apiVersion?: "v1";
  groupVersion: string;
  resources: APIResource[];
}

/**
 * `/api/v1` and `/apis/<group>/<version>`, from the resources of that group-version. Built-in ones are sorted by name, each
 * followed by its subresources; custom ones stay in the order given, as do their subresources. `/api/v1` carries no apiVersion.
 */
export function apiResourceList(
  of: { readonly group: string; readonly version: string },
  resources: readonly ServedResource[],
): APIResourceList {
  const groupVersion = groupVersionOf(of);
  const listed: APIResource[] = resources.flatMap((resource) => [ownEntry(resource), ...subresourceEntries(resource)]);
  if (!resources.some((resource) => resource.custom)) listed.sort((a, b) => compareText(a.name, b.name));
  return { kind: "APIResourceList", ...(of.group === "" ? {} : { apiVersion: "v1" }), groupVersion, resources: listed };
}

function ownEntry(resource: ServedResource): APIResource {
  return {
    name: resource.resource,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: [...resource.verbs],
    ...(resource.shortNames.length > 0 ? { shortNames: [...resource.shortNames] } : {}),
    ...(resource.categories.length > 0 ? { categories: [...resource.categories] } : {}),
    ...(resource.hash !== "" ? { storageVersionHash: resource.hash } : {}),
  };
}

function subresourceEntries(resource: ServedResource): APIResource[] {
  return resource.subresources.map(({ name, kind, verbs }) => ({
    name: `${resource.resource}/${name}`,
    singularName: "",
    namespaced: resource.namespaced,
    // Named only where it differs from the document's own.
    ...(kind.group === resource.group && kind.version === resource.version
      ? {}
      : { group: kind.group, version: kind.version }),
    kind: kind.kind,
    verbs: [...verbs],
  }));
}
