import type { ControllerContext } from "../controller/controller.js";
import type { CachedPod } from "../pods/pod-state.js";
import { type CachedPodGroup, type CachedResourceClaim, podGroupNameOf } from "../resource-claims/claim-user.js";
import { claimIndexers, groupIndexers, podIndexers } from "./indexes.js";

/** The objects that claims of devices depend on, as the caches have them. */
export type ClaimCaches = ReturnType<typeof createClaimCaches>;

export function createClaimCaches({ gates, informers }: ControllerContext) {
  const hasGroups = gates.enabled("DRAWorkloadResourceClaims");
  const pods = informers.of("core", "v1", "pods", { indexers: podIndexers });
  const claims = informers.of("resource", "v1", "resourceclaims", { indexers: claimIndexers });
  const templates = informers.of("resource", "v1", "resourceclaimtemplates");
  const groups = hasGroups
    ? informers.of("scheduling", "v1alpha2", "podgroups", { indexers: groupIndexers })
    : undefined;
  const groupOf = (pod: CachedPod): CachedPodGroup | undefined => {
    const name = podGroupNameOf(pod);
    return name === undefined ? undefined : groups?.indexer.getByKey(`${pod.metadata?.namespace}/${name}`);
  };
  return {
    hasGroups,
    pods,
    claims,
    templates,
    groups,
    claimIn:
      (namespace: string | undefined) =>
      (name: string): CachedResourceClaim | undefined =>
        claims.indexer.getByKey(`${namespace}/${name}`),
    groupOf,
    isGroupMissing: (pod: CachedPod): boolean => hasGroups && podGroupNameOf(pod) !== undefined && !groupOf(pod),
  };
}
