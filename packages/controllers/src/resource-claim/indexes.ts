import { controllerOf } from "@coxswain/client/controller";
import type { Indexers } from "@coxswain/client/informers";
import type { CachedPod } from "../pods/pod-state.js";
import {
  type CachedPodGroup,
  type CachedResourceClaim,
  type ClaimUser,
  claimNamesOf,
  podGroupUser,
  podUser,
} from "../resource-claims/claim-user.js";
import { podsByGroup } from "../resource-claims/indexes.js";

export const byClaim = "resourceClaim";
export const byTemplate = "resourceClaimTemplate";
export const byOwner = "controllerUid";

const claimKeys = (user: ClaimUser): string[] => claimNamesOf(user).map((name) => `${user.metadata.namespace}/${name}`);

const templateKeys = ({ metadata, entries }: ClaimUser): string[] => [
  ...new Set(
    entries.flatMap(({ resourceClaimTemplateName: name }) =>
      name === undefined ? [] : [`${metadata.namespace}/${name}`],
    ),
  ),
];

export const podIndexers: Indexers<CachedPod> = {
  [byClaim]: (pod) => claimKeys(podUser(pod)),
  [byTemplate]: (pod) => templateKeys(podUser(pod)),
  ...podsByGroup,
};

export const groupIndexers: Indexers<CachedPodGroup> = {
  [byClaim]: (group) => claimKeys(podGroupUser(group)),
  [byTemplate]: (group) => templateKeys(podGroupUser(group)),
};

/** Claims by the uid of the pod or group that they were generated for. */
export const claimIndexers: Indexers<CachedResourceClaim> = {
  [byOwner]: ({ metadata }) => {
    const owner = controllerOf({ metadata: metadata ?? {} });
    return owner && (owner.kind === "Pod" || owner.kind === "PodGroup") ? [owner.uid] : [];
  },
};
