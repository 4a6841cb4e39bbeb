import type { Deployment, ReplicaSet } from "@coxswain/api/apps/v1";
import { formatTime } from "@coxswain/apimachinery/time";

export const now = Date.UTC(2026, 0, 1);

export interface TestDeployment {
  readonly replicas: number;
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
  readonly status?: Deployment["status"];
  readonly paused?: boolean;
  readonly revisionHistoryLimit?: number;
  readonly annotations?: Record<string, string>;
}

/** A rolling Deployment whose image is "new". */
export const testDeployment = (given: TestDeployment): Deployment => ({
  metadata: { name: "web", namespace: "default", uid: "d", generation: 1, annotations: given.annotations ?? {} },
  spec: {
    replicas: given.replicas,
    progressDeadlineSeconds: 600,
    ...(given.paused && { paused: true }),
    ...(given.revisionHistoryLimit !== undefined && { revisionHistoryLimit: given.revisionHistoryLimit }),
    selector: { matchLabels: { app: "web" } },
    strategy: {
      type: "RollingUpdate",
      rollingUpdate: { maxSurge: given.maxSurge ?? 0, maxUnavailable: given.maxUnavailable ?? 0 },
    },
    template: templateOf("new"),
  },
  ...(given.status && { status: given.status }),
});

export interface TestReplicaSet {
  readonly name?: string;
  readonly replicas: number;
  /** How many there are; all are available unless `available` is given. @default replicas */
  readonly actual?: number;
  readonly available?: number;
  readonly image?: string;
  readonly revision?: number | string;
  /** Minutes. */
  readonly age?: number;
  readonly desired?: number;
  readonly max?: number;
}

export const testReplicaSet = (given: TestReplicaSet): ReplicaSet => {
  const actual = given.actual ?? given.replicas;
  return {
    metadata: {
      name: given.name ?? "rs",
      namespace: "default",
      uid: given.name ?? "rs",
      generation: 1,
      creationTimestamp: formatTime(now - (given.age ?? 0) * 60_000),
      annotations: {
        ...(given.revision !== undefined && { "deployment.kubernetes.io/revision": String(given.revision) }),
        ...(given.desired !== undefined && { "deployment.kubernetes.io/desired-replicas": String(given.desired) }),
        ...(given.max !== undefined && { "deployment.kubernetes.io/max-replicas": String(given.max) }),
      },
    },
    spec: { replicas: given.replicas, selector: {}, template: templateOf(given.image ?? "old") },
    status: {
      replicas: actual,
      readyReplicas: given.available ?? actual,
      availableReplicas: given.available ?? actual,
      observedGeneration: 1,
      terminatingReplicas: 0,
    },
  };
};

const templateOf = (image: string) => ({
  metadata: { labels: { app: "web" } },
  spec: { containers: [{ name: "c", image }] },
});
