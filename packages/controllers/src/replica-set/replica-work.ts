import type { ReplicaSetStatus } from "@coxswain/api/apps/v1";
import type { Pod } from "@coxswain/api/core/v1";
import type { GroupResource, GroupVersionKind } from "@coxswain/apimachinery/meta";
import type { Selector } from "@coxswain/apimachinery/selector";
import type { Expectations } from "@coxswain/client/controller";
import { type ConsistencyStore, createConsistencyStore, createExpectations } from "@coxswain/client/controller";
import type { ReadonlyIndexer, SharedIndexInformer } from "@coxswain/client/informers";
import type { ControllerContext } from "../controller/controller.js";
import { controllerRefOf } from "../pods/controller-ref.js";
import type { PodControl } from "../pods/pod-control.js";
import { createPodControl } from "../pods/pod-control.js";
import type { CachedPod } from "../pods/pod-state.js";
import type { ReplicaOwner } from "./plan.js";
/** What a ReplicaSet and a ReplicationController do not have in common. */
export interface ReplicaKind<T extends ReplicaOwner> {
  readonly kind: GroupVersionKind;
  readonly resource: GroupResource;
  /** Its name among controllers; events come from `component`. */
  readonly name: string;
  readonly component: string;
  readonly queue: string;
  readonly owners: SharedIndexInformer<T>;
  selectorOf(owner: T): Selector;
  /** From the server. */
  get(owner: T): Promise<T>;
  updateStatus(owner: T, status: ReplicaSetStatus): Promise<T>;
  /** Other owners of the same Deployment, itself included. */
  siblingsOf(owner: T): readonly T[];
  /** Whether the status counts pods that are being deleted. */
  readonly hasTerminatingReplicas: boolean;
  /** Whether it waits for caches by resourceVersion besides its expectations. */
  readonly isConsistent: boolean;
}

const podResource = { group: "", resource: "pods" };

/** What the work on all owners of one kind shares: how to read and write, and what is known before the caches show it. */
export interface ReplicaWork<T extends ReplicaOwner> {
  readonly replicas: ReplicaKind<T>;
  readonly owners: ReadonlyIndexer<T>;
  readonly pods: ReadonlyIndexer<CachedPod>;
  readonly podControl: PodControl;
  readonly expectations: Expectations;
  readonly consistency: ConsistencyStore;
  /** In milliseconds. */
  readonly now: () => number;
  readonly hasDeletionCost: boolean;
}

export function createReplicaWork<T extends ReplicaOwner>(
  context: ControllerContext,
  replicas: ReplicaKind<T>,
  pods: ReadonlyIndexer<CachedPod>,
): ReplicaWork<T> {
  const { client, gates, runtime } = context;
  const owners = replicas.owners.indexer;
  const consistency = createConsistencyStore(
    replicas.isConsistent
      ? [
          { resource: podResource, cache: pods },
          { resource: replicas.resource, cache: owners },
        ]
      : [],
  );
  const podControl = createPodControl({
    client,
    recorder: context.recorder(replicas.component),
    kind: replicas.kind,
    onWrite(pod: Pod) {
      const owner = controllerRefOf(pod);
      const { namespace, resourceVersion } = pod.metadata ?? {};
      if (owner && resourceVersion)
        consistency.wroteAt({ key: `${namespace}/${owner.name}`, uid: owner.uid }, podResource, resourceVersion);
    },
  });

  return {
    replicas,
    owners,
    pods,
    podControl,
    expectations: createExpectations({ clock: runtime.clock }),
    consistency,
    now: () => runtime.clock.now(),
    hasDeletionCost: gates.enabled("PodDeletionCost"),
  };
}
