import type { Pod } from "@coxswain/api/core/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import type { Client } from "@coxswain/client";
import type { TestCluster } from "../controller/test-cluster.test.support.js";

export interface TestPod {
  readonly name?: string;
  readonly node?: string;
  readonly phase?: "Pending" | "Running" | "Unknown" | "Succeeded" | "Failed";
  /** Milliseconds; undefined: not ready. */
  readonly readySince?: number;
  readonly createdAt?: number;
  readonly deletedAt?: number;
  readonly restarts?: number;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
}

/** A pod for plans; running unless given otherwise. */
export const testPod = (pod: TestPod = {}): Pod => ({
  metadata: {
    name: pod.name ?? "pod",
    namespace: "default",
    uid: pod.name ?? "pod",
    ...(pod.labels && { labels: pod.labels }),
    ...(pod.annotations && { annotations: pod.annotations }),
    ...(pod.createdAt !== undefined && { creationTimestamp: formatTime(pod.createdAt) }),
    ...(pod.deletedAt !== undefined && { deletionTimestamp: formatTime(pod.deletedAt) }),
  },
  spec: { containers: [], ...(pod.node && { nodeName: pod.node }) },
  status: {
    phase: pod.phase ?? "Running",
    ...(pod.readySince !== undefined && {
      conditions: [{ type: "Ready", status: "True", lastTransitionTime: formatTime(pod.readySince) }],
    }),
    ...(pod.restarts !== undefined && {
      containerStatuses: [
        { name: "c", image: "i", imageID: "", ready: true, restartCount: pod.restarts, state: {}, lastState: {} },
      ],
    }),
  },
});

/** Marks pods of the namespace as running and ready, or not, as a kubelet would. */
export async function markPods(
  { client, clock, settle }: TestCluster,
  { ready = true, only = () => true }: { ready?: boolean; only?: (pod: Pod) => boolean } = {},
): Promise<void> {
  const lastTransitionTime = formatTime(clock.now());
  for (const pod of await podsIn(client)) {
    const isReady = pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
    if (!only(pod) || pod.metadata?.deletionTimestamp || isReady === ready) continue;
    const conditions = [{ type: "Ready", status: ready ? "True" : "False", lastTransitionTime }] as const;
    await client.core.v1
      .pods("default")
      .subresource<Pod>("status")
      .patch(pod.metadata?.name ?? "", { merge: { status: { phase: "Running", conditions } } });
  }
  await settle();
}

export const podsIn = async (client: Client, labelSelector?: string): Promise<readonly Pod[]> =>
  (await client.core.v1.pods("default").list(labelSelector === undefined ? {} : { labelSelector })).items;
