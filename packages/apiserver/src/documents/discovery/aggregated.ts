import { largest } from "@coxswain/apimachinery/append";
import type { GroupVersionKind } from "@coxswain/apimachinery/meta";
import type { ServedResource } from "../served-resource.js";
import { byVersionPriority, compareText, type RankedGroupVersion } from "./group-versions.js";

export interface APIResourceDiscovery {
  resource: string;
  responseKind: GroupVersionKind;
  scope: "Namespaced" | "Cluster";
  singularResource: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  subresources?: { subresource: string; responseKind: GroupVersionKind; verbs: string[] }[];
}

export interface APIGroupDiscoveryList {
  kind: "APIGroupDiscoveryList";
  apiVersion: "apidiscovery.k8s.io/v2";
  metadata: Record<string, never>;
  items: {
    metadata: { name?: string };
    versions: { version: string; resources: APIResourceDiscovery[]; freshness: "Current" | "Stale" }[];
  }[];
}

export interface DiscoveredGroupVersion extends RankedGroupVersion {
  /** Ours by `discoverResources`; of an aggregated server what it answered last. */
  readonly resources: readonly APIResourceDiscovery[];
  /** Stale: an aggregated server that could not be asked. @default "Current" */
  readonly freshness?: "Current" | "Stale";
}

/**
 * The aggregated form, for `/api` (give the core group) and `/apis` (give the others). Groups of equal priority are sorted
 * by name; that is not quite the order of the older document.
 */
export function aggregatedDiscovery(groupVersions: readonly DiscoveredGroupVersion[]): APIGroupDiscoveryList {
  const groups = new Map<string, DiscoveredGroupVersion[]>();
  for (const of of groupVersions) {
    const versions = groups.get(of.group);
    if (versions) versions.push(of);
    else groups.set(of.group, [of]);
  }
  const priority = (versions: readonly DiscoveredGroupVersion[]): number =>
    largest(versions.map((of) => of.groupPriority));
  const ranked = [...groups].sort(([a, as], [b, bs]) => priority(bs) - priority(as) || compareText(a, b));
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: ranked.map(([group, versions]) => ({
      metadata: group === "" ? {} : { name: group },
      versions: versions
        .sort(byVersionPriority)
        .map((of) => ({ version: of.version, resources: [...of.resources], freshness: of.freshness ?? "Current" })),
    })),
  };
}

/** The resources of one group-version, sorted by name. */
export function discoverResources(resources: readonly ServedResource[]): APIResourceDiscovery[] {
  return resources.map(discoverResource).sort((a, b) => compareText(a.resource, b.resource));
}

function discoverResource(resource: ServedResource): APIResourceDiscovery {
  const { group, version } = resource;
  // Built-in resources leave out the group and version where they are the document's own; custom ones spell them out.
  const responseKind = (of: GroupVersionKind): GroupVersionKind =>
    !resource.custom && of.group === group && of.version === version
      ? { group: "", version: "", kind: of.kind }
      : { ...of };
  const subresources = resource.subresources.map(({ name, kind, verbs }) => ({
    subresource: name,
    responseKind: responseKind(kind),
    verbs: [...verbs],
  }));
  if (!resource.custom) subresources.sort((a, b) => compareText(a.subresource, b.subresource));
  return {
    resource: resource.resource,
    responseKind: responseKind({ group, version, kind: resource.kind }),
    scope: resource.namespaced ? "Namespaced" : "Cluster",
    singularResource: resource.singular,
    verbs: [...resource.verbs],
    ...(resource.shortNames.length > 0 ? { shortNames: [...resource.shortNames] } : {}),
    ...(resource.categories.length > 0 ? { categories: [...resource.categories] } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
  };
}
