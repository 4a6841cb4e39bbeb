import type { GroupResource } from "@coxswain/apimachinery/meta";
import { type ConsistencyStore, createConsistencyStore } from "@coxswain/client/controller";
import type { ReadonlyIndexer } from "@coxswain/client/informers";
import { controllerRefOf } from "./controller-ref.js";
import { createPodControl, type PodControl, type PodControlOptions } from "./pod-control.js";
import type { CachedPod } from "./pod-state.js";

/** Writes of pods for their owners, and what of them the caches do not show yet. */
export interface PodWrites {
  readonly podControl: PodControl;
  readonly consistency: ConsistencyStore;
}

export interface PodWritesOptions extends Omit<PodControlOptions, "onWrite"> {
  readonly pods: ReadonlyIndexer<CachedPod>;
  readonly owners: ReadonlyIndexer<object>;
  /** Of the owners. */
  readonly resource: GroupResource;
  /** Whether caches are waited for by resourceVersion. */
  readonly isConsistent: boolean;
}

const podResource = { group: "", resource: "pods" };

export function createPodWrites({ pods, owners, resource, isConsistent, ...options }: PodWritesOptions): PodWrites {
  const consistency = createConsistencyStore(
    isConsistent
      ? [
          { resource: podResource, cache: pods },
          { resource, cache: owners },
        ]
      : [],
  );
  const podControl = createPodControl({
    ...options,
    onWrite(pod) {
      const owner = controllerRefOf(pod);
      const { namespace, resourceVersion } = pod.metadata ?? {};
      if (owner && resourceVersion)
        consistency.wroteAt({ key: `${namespace}/${owner.name}`, uid: owner.uid }, podResource, resourceVersion);
    },
  });
  return { podControl, consistency };
}
