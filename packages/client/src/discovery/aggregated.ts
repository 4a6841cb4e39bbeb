import type { apidiscoveryV2 } from "@coxswain/api/types";
import type { ApiSurface, DiscoveredGroup, DiscoveredResource } from "./api-surface.js";

/** Aggregated discovery first, in its older form where that is all there is, else the answer of servers before 1.26. */
export const discoveryAccept = [
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
  "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList",
  "application/json",
].join(",");

export const isAggregated = (value: unknown): value is apidiscoveryV2.APIGroupDiscoveryList =>
  (value as { kind?: string } | null)?.kind === "APIGroupDiscoveryList";

/** One answer holds all groups of `/api` or `/apis`. */
export function surfaceOfAggregated(list: apidiscoveryV2.APIGroupDiscoveryList): ApiSurface {
  const groups: DiscoveredGroup[] = [];
  const failed: { group: string; version: string; message: string }[] = [];
  for (const { metadata, versions = [] } of list.items ?? []) {
    const name = metadata?.name ?? "";
    const fresh = versions.filter(({ freshness }) => freshness !== "Stale");
    for (const { version, freshness } of versions)
      if (freshness === "Stale")
        failed.push({ group: name, version, message: "the server that serves it does not answer" });
    groups.push({
      name,
      ...(fresh[0] && { preferredVersion: fresh[0].version }),
      versions: fresh.map(({ version, resources = [] }) => ({
        version,
        resources: resources.flatMap((resource) => entriesOf(resource, { group: name, version })),
      })),
    });
  }
  return { groups, failed };
}

/** The resource and its subresources. What has no kind is no resource of its own: only a parent. */
function entriesOf(
  info: apidiscoveryV2.APIResourceDiscovery,
  own: { group: string; version: string },
): DiscoveredResource[] {
  const parent = { singular: info.singularResource, namespaced: info.scope === "Namespaced" };
  const kindOf = (kind: { group: string; version: string; kind: string }) => ({
    kind: kind.kind,
    ...((kind.group !== own.group || kind.version !== own.version) && { group: kind.group, version: kind.version }),
  });
  const entries: DiscoveredResource[] = [];
  if (info.responseKind?.kind)
    entries.push({
      ...parent,
      ...kindOf(info.responseKind),
      resource: info.resource,
      verbs: info.verbs,
      ...(info.shortNames && { shortNames: info.shortNames }),
      ...(info.categories && { categories: info.categories }),
    });
  for (const { subresource, responseKind, verbs } of info.subresources ?? [])
    if (responseKind?.kind)
      entries.push({ ...parent, ...kindOf(responseKind), resource: `${info.resource}/${subresource}`, verbs });
  return entries;
}
