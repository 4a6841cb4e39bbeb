import {
  countObjects,
  createPodEvaluator,
  createResourceClaimEvaluator,
  serviceEvaluator,
  type UsageEvaluator,
  volumeClaimEvaluator,
} from "@coxswain/api/quota";
import { type CachedObject, createLister, keyOf, type SharedIndexInformer } from "@coxswain/client/informers";
import type { ControllerContext } from "../controller/controller.js";

/**
 * A kind whose objects come from the caches that controllers share: kinds of which quotas count more than how many there are, and
 * quotas themselves. A quota counts itself: from another cache than the one that woke the controller it might be missing.
 */
export interface UsedKind {
  /** "group/resource" */
  readonly resource: string;
  readonly evaluator: UsageEvaluator;
  readonly informer: SharedIndexInformer<CachedObject>;
  objects(namespace: string): readonly object[];
}

export function createUsedKinds({ informers, gates, runtime: { clock } }: ControllerContext): readonly UsedKind[] {
  const kind = <T extends CachedObject>(
    resource: string,
    evaluator: UsageEvaluator,
    informer: SharedIndexInformer<T>,
  ): UsedKind => ({
    resource,
    evaluator,
    informer: informer as unknown as SharedIndexInformer<CachedObject>,
    objects: (namespace) => createLister(informer.indexer).namespace(namespace).list(),
  });
  const pods = informers.of("core", "v1", "pods");
  const podEvaluator = createPodEvaluator({ now: () => clock.now(), gates });
  const kinds = [
    kind("/pods", podEvaluator, pods),
    kind("/services", serviceEvaluator, informers.of("core", "v1", "services")),
    kind("/persistentvolumeclaims", volumeClaimEvaluator, informers.of("core", "v1", "persistentvolumeclaims")),
    kind("/resourcequotas", countObjects("", "resourcequotas"), informers.of("core", "v1", "resourcequotas")),
  ];
  if (!gates.enabled("DynamicResourceAllocation")) return kinds;
  const claims = informers.of("resource", "v1", "resourceclaims");
  const classes = informers.of("resource", "v1", "deviceclasses");
  const claimEvaluator = createResourceClaimEvaluator({
    deviceClasses: () => classes.indexer.list(),
    deviceClass: (name) => classes.indexer.getByKey(name),
    claimsIn: (namespace) => createLister(claims.indexer).namespace(namespace).list(),
    pod: (namespace, name) => pods.indexer.getByKey(keyOf({ metadata: { namespace, name } })),
    podUsage: (pod) => podEvaluator.usage(pod),
    gates,
  });
  return [...kinds, kind("resource.k8s.io/resourceclaims", claimEvaluator, claims)];
}
