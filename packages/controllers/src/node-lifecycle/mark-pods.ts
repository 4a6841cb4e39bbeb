import type { Pod } from "@coxswain/api/core/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import { ignoreGone } from "../controller/ignore-gone.js";
import { type CachedPod, podCondition } from "../pods/pod-state.js";
import { readyStatusOf } from "./node-health.js";
import type { NodeWork } from "./node-work.js";

/** Pods that come to a node which is not ready. */
export async function reconcilePod(work: NodeWork, key: string): Promise<void> {
  const { pods, nodes, healths } = work;
  const pod = pods.getByKey(key);
  const node = pod?.spec?.nodeName ? nodes.getByKey(pod.spec.nodeName) : undefined;
  const status = node && readyStatusOf(node);
  if (pod && node && healths.has(node.metadata?.name ?? "") && status !== undefined && status !== "True")
    await markNotReady(work, pod);
}

export async function markNotReady(
  { client, cause, recorder, runtime: { clock } }: NodeWork,
  pod: CachedPod,
): Promise<void> {
  const ready = podCondition(pod, "Ready");
  if (!ready || ready.status === "False") return;
  const { name = "", namespace = "", uid = "", resourceVersion } = pod.metadata ?? {};
  const condition = { ...ready, status: "False", lastTransitionTime: formatTime(clock.now()) };
  await client.core.v1
    .pods(namespace)
    .subresource<Pod>("status")
    .patch(name, { strategic: { metadata: { uid, resourceVersion }, status: { conditions: [condition] } } }, cause)
    .catch(ignoreGone);
  recorder.event(
    { apiVersion: "v1", kind: "Pod", name, namespace, uid },
    { type: "Warning", reason: "NodeNotReady", message: "Node is not ready" },
  );
}
