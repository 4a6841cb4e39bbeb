import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "../kwok/cluster.js";
import type { Item } from "./snapshot.js";

/** All that controllers make and change, and their events. */
const resources = [
  "deployments",
  "replicasets",
  "replicationcontrollers",
  "statefulsets",
  "daemonsets",
  "jobs",
  "controllerrevisions",
  "pods",
  "services",
  "endpoints",
  "endpointslices",
  "poddisruptionbudgets",
  "persistentvolumeclaims",
  "persistentvolumes",
  "resourcequotas",
  "serviceaccounts",
  "configmaps",
  "namespaces",
  "nodes",
  "events",
].join(",");

export async function listAll(kubectl: Cluster["kubectl"]): Promise<Item[]> {
  const text = await kubectl(["get", resources, "--all-namespaces", "--output=json", "--show-managed-fields=false"]);
  return (JSON.parse(text) as { items: Item[] }).items;
}

/** Pure: why the cluster is not at rest; undefined: nobody has anything left to do. */
export function unrest(items: readonly Item[]): string | undefined {
  const nodes = new Set(items.filter(({ kind }) => kind === "Node").map(({ metadata }) => metadata.name));
  for (const item of items) {
    const name = `${item.kind} ${item.metadata.name}`;
    if (item.metadata.deletionTimestamp !== undefined) return `${name} is being deleted`;
    const { nodeName } = (item["spec"] ?? {}) as { nodeName?: string };
    if (item.kind === "Pod" && nodeName && !nodes.has(nodeName)) return `${name} is on node ${nodeName}, which is gone`;
    const problem = workloadUnrest(item);
    if (problem) return `${name}: ${problem}`;
  }
  return undefined;
}

/** Pure: what a workload lacks; undefined: nothing. */
export function workloadUnrest(item: Item): string | undefined {
  const spec = (item["spec"] ?? {}) as { replicas?: number; completions?: number; paused?: boolean };
  const status = (item["status"] ?? {}) as Record<string, number | undefined>;
  switch (item.kind) {
    case "Deployment":
      // A paused one keeps pods of several versions.
      if (!spec.paused && (status["updatedReplicas"] ?? 0) !== spec.replicas)
        return `${status["updatedReplicas"] ?? 0} of ${spec.replicas} updated`;
      if ((status["replicas"] ?? 0) !== spec.replicas) return `${status["replicas"] ?? 0} of ${spec.replicas} replicas`;
      return (status["availableReplicas"] ?? 0) === spec.replicas ? undefined : "not all are available";
    case "ReplicaSet":
    case "ReplicationController":
    case "StatefulSet":
      return (status["readyReplicas"] ?? 0) === spec.replicas && (status["replicas"] ?? 0) === spec.replicas
        ? undefined
        : `${status["readyReplicas"] ?? 0} of ${spec.replicas} ready`;
    case "DaemonSet":
      return status["numberAvailable"] === status["desiredNumberScheduled"] &&
        status["updatedNumberScheduled"] === status["desiredNumberScheduled"]
        ? undefined
        : "not everywhere";
    case "Job":
      return status["succeeded"] === spec.completions ? undefined : "not complete";
    default:
      return undefined;
  }
}

/** Resolves with everything once the cluster is at rest and nothing changes for some seconds. */
export async function settle(
  kubectl: Cluster["kubectl"],
  { timeoutMs = 420_000, quietMs = 6_000 }: { timeoutMs?: number; quietMs?: number } = {},
): Promise<Item[]> {
  const deadline = performance.now() + timeoutMs;
  let before = "";
  for (;;) {
    const items = await listAll(kubectl);
    const what = unrest(items);
    // Nodes report all the time.
    const now = items
      .filter(({ kind }) => kind !== "Node")
      .map(({ metadata }) => `${metadata.uid} ${metadata.resourceVersion}`)
      .sort()
      .join("\n");
    if (what === undefined && now === before) return items;
    if (performance.now() > deadline) throw new Error(what ?? "the cluster does not come to rest");
    before = now;
    await sleep(what === undefined ? quietMs : 1000);
  }
}
