import { append } from "@coxswain/apimachinery/append";
import type { GroupVersionResource } from "@coxswain/apimachinery/meta";
import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import type { ApiSurface } from "@coxswain/client/discovery";

/** A resource in the one version that controllers of all resources work with. */
export interface PreferredResource extends GroupVersionResource {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** Pure: each resource once, in its group's preferred version, or in the first that has it. Subresources are left out. */
export function preferredResources({ groups }: ApiSurface): PreferredResource[] {
  const chosen: PreferredResource[] = [];
  for (const { name: group, preferredVersion, versions } of groups) {
    const byName = new Map<string, PreferredResource>();
    for (const { version, resources } of versions)
      for (const { resource, kind, namespaced, verbs } of resources)
        if (!resource.includes("/") && (version === preferredVersion || !byName.has(resource)))
          byName.set(resource, { group, version, resource, kind, namespaced, verbs });
    append(chosen, byName.values());
  }
  return chosen;
}

/** What a discovery that some API servers did not answer reports, in upstream's words. Undefined: all answered. */
export function discoveryFailure({ failed }: Pick<ApiSurface, "failed">): string | undefined {
  if (failed.length === 0) return undefined;
  const texts = failed.map((version) => `${formatGroupVersion(version)}: ${version.message}`).sort();
  return `unable to retrieve the complete list of server APIs: ${texts.join(", ")}`;
}
