import type { DeepReadonly } from "@coxswain/api";
import type { Volume } from "@coxswain/api/core/v1";
import { isControlledBy } from "@coxswain/client/controller";
import type { Indexers } from "@coxswain/client/informers";
import type { CachedPod } from "../pods/pod-state.js";
import type { CachedClaim } from "./cached-volumes.js";

/** The name of the claim that is made for an ephemeral volume. */
export const ephemeralClaimName = (pod: CachedPod, volume: DeepReadonly<Volume>): string =>
  `${pod.metadata?.name}-${volume.name}`;

/** The claim that a volume of a pod names, or that is made for it. */
export const claimNameOf = (pod: CachedPod, volume: DeepReadonly<Volume>): string | undefined =>
  volume.persistentVolumeClaim?.claimName || (volume.ephemeral ? ephemeralClaimName(pod, volume) : undefined);

/** Keys of all claims that the pod uses. */
export const claimKeysOf = (pod: CachedPod): string[] =>
  (pod.spec?.volumes ?? []).flatMap((volume) => {
    const name = claimNameOf(pod, volume);
    return name ? [`${pod.metadata?.namespace}/${name}`] : [];
  });

/** The claim was made for this very pod, not by somebody who guessed its name. */
export const isClaimForPod = (claim: CachedClaim, pod: CachedPod): boolean =>
  claim.metadata?.namespace === pod.metadata?.namespace &&
  isControlledBy({ metadata: claim.metadata ?? {} }, { metadata: pod.metadata ?? {} });

/** Upstream's words for a claim that is not. */
export const notForPodMessage = ({ metadata }: CachedClaim, pod: CachedPod): string =>
  `PVC ${metadata?.namespace}/${metadata?.name} was not created for pod ` +
  `${pod.metadata?.namespace}/${pod.metadata?.name} (pod is not owner)`;

/** The name of the index; all who ask for it share one. */
export const podClaimIndex = "pod-pvc-index";

/** Pods by the claims that they use. */
export const podsByClaim: Indexers<CachedPod> = { [podClaimIndex]: claimKeysOf };
