import type { ReplicaSet } from "@coxswain/api/apps/v1";
import type { PodTemplateSpec } from "@coxswain/api/core/v1";
import { cloneJson } from "@coxswain/apimachinery/json";
import { controllerReference } from "@coxswain/client/controller";
import { podTemplateHash } from "../pod-template-hash/pod-template-hash.js";
import type { CachedReplicaSet } from "../replica-set/replica-sets-of-owner.js";
import { type CachedDeployment, kindOfDeployment, newReplicaSetSize } from "./deployment-strategy.js";
import { hashLabel } from "./find-replica-sets.js";
import { maxRevision, withRevision, withSize } from "./revision.js";

/** The longest name that an object may have. */
const longestName = 253;

/** Pure: the ReplicaSet for the Deployment's template, with as many pods as it may have at once. */
export function newReplicaSet(deployment: CachedDeployment, old: readonly CachedReplicaSet[]): ReplicaSet {
  const { metadata = {}, spec, status } = deployment;
  // A private copy: what the cache holds is shared.
  const template = cloneJson(spec?.template ?? {}) as PodTemplateSpec;
  const hash = podTemplateHash(template, status?.collisionCount);
  const labels = { ...template.metadata?.labels, [hashLabel]: hash };
  const { matchLabels, matchExpressions } = spec?.selector ?? {};
  return {
    metadata: {
      name: `${(metadata.name ?? "").slice(0, longestName - 1 - hash.length)}-${hash}`,
      ...(metadata.namespace && { namespace: metadata.namespace }),
      labels,
      annotations: withSize(withRevision(undefined, deployment, maxRevision(old) + 1n), deployment),
      ownerReferences: [controllerReference({ metadata }, kindOfDeployment)],
    },
    spec: {
      replicas: newReplicaSetSize(deployment, old, 0),
      ...(spec?.minReadySeconds && { minReadySeconds: spec.minReadySeconds }),
      selector: {
        matchLabels: { ...matchLabels, [hashLabel]: hash },
        ...(matchExpressions && {
          matchExpressions: cloneJson(matchExpressions) as NonNullable<ReplicaSetSelector["matchExpressions"]>,
        }),
      },
      template: { ...template, metadata: { ...template.metadata, labels: { ...labels } } },
    },
  };
}

type ReplicaSetSelector = NonNullable<ReplicaSet["spec"]>["selector"];
