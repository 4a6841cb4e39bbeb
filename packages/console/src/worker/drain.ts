import { getOwn } from "@coxswain/apimachinery/own";
import type { RestClient } from "@coxswain/client";
import type { KubernetesValue } from "../contract/messages.js";
import { pathOf } from "../contract/paths.js";
import { listObjects } from "./list-objects.js";
import { problemOf } from "./problem.js";

const mirror = "kubernetes.io/config.mirror";

/** Pure: whether a drain evicts a pod. DaemonSets' come back at once, static ones cannot be evicted, finished ones need not be. */
export function isDrained(pod: KubernetesValue): boolean {
  const owner = pod.metadata?.ownerReferences?.find(({ controller }) => controller);
  const phase = pod["status"]?.phase;
  return (
    owner?.kind !== "DaemonSet" &&
    getOwn(pod.metadata?.annotations, mirror) === undefined &&
    phase !== "Succeeded" &&
    phase !== "Failed" &&
    pod.metadata?.deletionTimestamp === undefined
  );
}

/** Cordons a node and evicts what runs on it, once: what a disruption budget refuses is named, and not tried again. */
export async function drainNode(
  rest: RestClient,
  node: string,
): Promise<{ evicted: number; failed: readonly string[] }> {
  await rest.send({
    method: "PATCH",
    path: pathOf({ group: "", version: "v1", resource: "nodes", name: node }),
    body: { as: "value", value: { spec: { unschedulable: true } }, contentType: "application/merge-patch+json" },
  });
  const pods = await listObjects(rest, "/api/v1/pods", [["fieldSelector", `spec.nodeName=${node}`]]);
  const failed: string[] = [];
  let evicted = 0;
  for (const { metadata = {} } of pods.filter(isDrained)) {
    const { name = "", namespace = "" } = metadata;
    try {
      await rest.send({
        method: "POST",
        path: pathOf({ group: "", version: "v1", resource: "pods", namespace, name, subresource: "eviction" }),
        body: { as: "value", value: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace } } },
      });
      evicted++;
    } catch (error) {
      failed.push(`${namespace}/${name}: ${problemOf(error).message}`);
    }
  }
  return { evicted, failed };
}
