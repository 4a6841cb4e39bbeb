import type { ReplicaSetStatus } from "@coxswain/api/apps/v1";
import type { GroupResource, GroupVersionKind } from "@coxswain/apimachinery/meta";
import type { Selector } from "@coxswain/apimachinery/selector";
import type { Expectations } from "@coxswain/client/controller";
import { createExpectations } from "@coxswain/client/controller";
import type { ReadonlyIndexer, SharedIndexInformer } from "@coxswain/client/informers";
import type { ControllerContext } from "../controller/controller.js";
import type { CachedPod } from "../pods/pod-state.js";
import { createPodWrites, type PodWrites } from "../pods/pod-writes.js";
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

/** What the work on all owners of one kind shares: how to read and write, and what is known before the caches show it. */
export interface ReplicaWork<T extends ReplicaOwner> extends PodWrites {
  readonly replicas: ReplicaKind<T>;
  readonly owners: ReadonlyIndexer<T>;
  readonly pods: ReadonlyIndexer<CachedPod>;
  readonly expectations: Expectations;
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
  const { kind, resource, isConsistent } = replicas;
  const recorder = context.recorder(replicas.component);

  return {
    replicas,
    owners,
    pods,
    ...createPodWrites({ client, recorder, kind, pods, owners, resource, isConsistent }),
    expectations: createExpectations({ clock: runtime.clock }),
    now: () => runtime.clock.now(),
    hasDeletionCost: gates.enabled("PodDeletionCost"),
  };
}
