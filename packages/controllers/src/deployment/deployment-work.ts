import type { Client } from "@coxswain/client";
import type { EventRecorder } from "@coxswain/client/events";
import type { CachedPod } from "../pods/pod-state.js";
import type { CachedReplicaSet } from "../replica-set/replica-sets-of-owner.js";
import type { CachedDeployment } from "./deployment-strategy.js";

/** What the work on all Deployments shares: how to read from caches, and how to write. */
export interface DeploymentWork {
  readonly client: Client;
  readonly recorder: EventRecorder;
  /** In milliseconds. */
  readonly now: () => number;
  readonly hasTerminatingReplicas: boolean;
  deploymentByKey(key: string): CachedDeployment | undefined;
  replicaSetByKey(key: string): CachedReplicaSet | undefined;
  replicaSetsIn(namespace: string): readonly CachedReplicaSet[];
  podsOf(replicaSet: CachedReplicaSet): readonly CachedPod[];
}
