import type { Pod } from "@coxswain/api/core/v1";
import type { Eviction } from "@coxswain/api/policy/v1";
import { isForbidden, isNotFound, isTooManyRequests, statusCause } from "@coxswain/apimachinery/status";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { sleep } from "@coxswain/runtime/wait";
import type { Client } from "../typed/index.js";
import { isDeletedOrReplaced, waitFor } from "../wait/index.js";
import { type DrainPolicy, planPod } from "./plan-drain.js";

export interface DrainOptions extends DrainPolicy {
  readonly node: string;
  /** Only these pods. */
  readonly podSelector?: string;
  /** @default each pod's own */
  readonly gracePeriodSeconds?: number;
  /** Between tries of an eviction that a disruption budget forbids. @default 5 s, as kubectl */
  readonly retryDelayMs?: number;
  readonly onProgress?: (message: string) => void;
  readonly signal?: AbortSignal;
  /** @default systemRuntime() */
  readonly runtime?: Runtime;
}

/** Pods that are in the way of a drain. Nothing was evicted. */
export class DrainObstacleError extends Error {
  readonly obstacles: readonly { readonly namespace: string; readonly name: string; readonly reason: string }[];

  constructor(node: string, obstacles: DrainObstacleError["obstacles"]) {
    const list = obstacles.map(({ namespace, name, reason }) => `${namespace}/${name}: ${reason}`);
    super(`node ${JSON.stringify(node)} cannot be drained: ${list.join("; ")}`);
    this.name = "DrainObstacleError";
    this.obstacles = obstacles;
  }
}

/** No new pods on the node, or again some. */
export const cordonNode = async (client: Pick<Client, "core">, node: string, unschedulable = true): Promise<void> =>
  void (await client.core.v1.nodes().patch(node, { merge: { spec: { unschedulable: unschedulable || null } } }));

/**
 * Cordons a node, evicts its pods as disruption budgets allow, and waits until they are gone. As kubectl drain: pods that
 * the policy does not cover stop it before anything is evicted.
 */
export async function drainNode(
  client: Pick<Client, "core" | "apps">,
  options: DrainOptions,
): Promise<{ evicted: number }> {
  const { node, podSelector, signal, onProgress } = options;
  await cordonNode(client, node);
  const pods: Pod[] = [];
  const select = {
    fieldSelector: `spec.nodeName=${node}`,
    ...(podSelector !== undefined && { labelSelector: podSelector }),
  };
  for await (const pod of client.core.v1.pods().items(select, { signal })) pods.push(pod);
  const daemonSets = await existingDaemonSets(client, pods);
  const decisions = pods.map((pod) => ({
    pod,
    decision: planPod(pod, options, (owned, name) => daemonSets.has(`${owned.metadata?.namespace}/${name}`)),
  }));
  const obstacles = decisions.flatMap(({ pod, decision }) =>
    decision.kind === "obstacle"
      ? [{ namespace: pod.metadata?.namespace ?? "", name: pod.metadata?.name ?? "", reason: decision.reason }]
      : [],
  );
  if (obstacles.length > 0) throw new DrainObstacleError(node, obstacles);
  for (const { pod, decision } of decisions)
    if ("warning" in decision)
      onProgress?.(`pod ${pod.metadata?.namespace}/${pod.metadata?.name}: ${decision.warning}`);
  const evicted = decisions.filter(({ decision }) => decision.kind === "evict");
  await Promise.all(evicted.map(({ pod }) => evict(client, pod, options)));
  return { evicted: evicted.length };
}

/** Names as `namespace/name`. */
async function existingDaemonSets(client: Pick<Client, "apps">, pods: readonly Pod[]): Promise<Set<string>> {
  const namespaces = new Set(
    pods
      .filter((pod) => pod.metadata?.ownerReferences?.some(({ kind }) => kind === "DaemonSet"))
      .map((pod) => pod.metadata?.namespace ?? ""),
  );
  const found = new Set<string>();
  for (const namespace of namespaces)
    for await (const { metadata } of client.apps.v1.daemonsets(namespace).items())
      found.add(`${namespace}/${metadata?.name}`);
  return found;
}

async function evict(client: Pick<Client, "core">, pod: Pod, options: DrainOptions): Promise<void> {
  const { namespace = "", name = "", uid } = pod.metadata ?? {};
  const { gracePeriodSeconds, retryDelayMs = 5000, signal, runtime = systemRuntime(), onProgress } = options;
  const pods = client.core.v1.pods(namespace);
  const body: Eviction = {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name, namespace },
    deleteOptions: {
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
      preconditions: { ...(uid && { uid }) },
    },
  };
  onProgress?.(`evicting pod ${namespace}/${name}`);
  for (;;) {
    signal?.throwIfAborted();
    try {
      await pods.subresource<Eviction>("eviction").create(name, body, { signal });
      break;
    } catch (error) {
      if (isNotFound(error)) return;
      const ending = isForbidden(error) && statusCause(error, "NamespaceTerminating") !== undefined;
      // In a namespace that ends, pods are deleted anyway.
      if (ending) break;
      if (!isTooManyRequests(error)) throw error;
      onProgress?.(`pod ${namespace}/${name} cannot be evicted yet: ${(error as Error).message}`);
      await sleep(retryDelayMs, { clock: runtime.clock, signal });
    }
  }
  await waitFor(pods, name, isDeletedOrReplaced(uid), { ...(signal && { signal }), runtime });
}
