import type { DeepReadonly } from "@coxswain/api";
import type { PersistentVolumeClaim, Volume } from "@coxswain/api/core/v1";
import { controllerReference } from "@coxswain/client/controller";
import type { CachedPod } from "../pods/pod-state.js";
import type { CachedClaim } from "../volumes/cached-volumes.js";
import { ephemeralClaimName, isClaimForPod, notForPodMessage } from "../volumes/pod-claims.js";

const podKind = { group: "", version: "v1", kind: "Pod" };

export type EphemeralPlan =
  | { readonly kind: "nothing" }
  /** The name is taken by a claim that is not the pod's. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "create"; readonly claim: PersistentVolumeClaim };

/** Pure: what an ephemeral volume needs: a claim by its template that goes with the pod. */
export function planEphemeralVolume(
  pod: CachedPod,
  volume: DeepReadonly<Volume>,
  claimByName: (name: string) => CachedClaim | undefined,
): EphemeralPlan {
  if (!volume.ephemeral) return { kind: "nothing" };
  const name = ephemeralClaimName(pod, volume);
  const there = claimByName(name);
  if (there)
    return isClaimForPod(there, pod) ? { kind: "nothing" } : { kind: "refused", message: notForPodMessage(there, pod) };
  const template = volume.ephemeral.volumeClaimTemplate as PersistentVolumeClaim | undefined;
  const { annotations, labels } = template?.metadata ?? {};
  return {
    kind: "create",
    claim: {
      metadata: {
        name,
        ownerReferences: [controllerReference({ metadata: pod.metadata ?? {} }, podKind)],
        ...(annotations && { annotations }),
        ...(labels && { labels }),
      },
      ...(template?.spec && { spec: template.spec }),
    },
  };
}
