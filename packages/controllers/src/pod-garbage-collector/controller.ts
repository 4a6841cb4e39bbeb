import type { Pod } from "@coxswain/api/core/v1";
import { isNotFound } from "@coxswain/apimachinery/status";
import { keyOf } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { nodeIndex, podsByNode } from "../nodes/pods-by-node.js";
import { disruptionTarget } from "../pods/disruption-target.js";
import { type CachedPod, isPodTerminal } from "../pods/pod-state.js";
import { isOutOfService, isTerminated, planPod, planSurplus, type Reason } from "./plan.js";

/** How long a node may be missing in the cache before the server is asked for it, in milliseconds. */
const quarantineMs = 40_000;
/** Terminated pods are counted at most so often. */
const countPeriodMs = 20_000;
/** So many terminated pods are deleted at the same time. */
const groupSize = 100;
const defaultThreshold = 12_500;
/** The key of all terminated pods; keys of pods have a slash. */
const terminatedKey = "terminated";

/** Deletes pods that nobody else will: on nodes that are gone or out of service, never bound, or terminated and too many. */
export const podGarbageCollectorController: Controller = {
  name: "pod-garbage-collector-controller",
  aliases: ["podgc"],
  serviceAccount: "pod-garbage-collector",
  start(context) {
    const { client, informers, settings, runtime } = context;
    const pods = informers.of("core", "v1", "pods", { indexers: podsByNode });
    const nodes = informers.of("core", "v1", "nodes");
    const threshold = settings.terminatedPodThreshold ?? defaultThreshold;
    const counted = (name: string, help: string) =>
      runtime.metrics.counter({
        name: `pod_gc_collector_${name}`,
        help,
        stability: "ALPHA",
        labels: ["namespace", "reason"],
      });
    const deletions = counted("force_delete_pods_total", "Number of pods that were deleted by force.");
    const failures = counted("force_delete_pod_errors_total", "Number of errors when deleting pods by force.");
    /** Keys of terminated pods. */
    const terminated = new Set<string>();

    const podLoop = createReconcileLoop(context, {
      name: "pod_garbage_collector",
      workers: 5,
      async reconcile(key): Promise<WorkResult> {
        if (key === terminatedKey) return collectTerminated();
        const pod = pods.indexer.getByKey(key);
        const reason = pod && planPod(pod, nodes.indexer.getByKey(pod.spec?.nodeName ?? ""));
        if (reason) await collect(pod, reason);
      },
    });
    const nodeLoop = createReconcileLoop(context, {
      name: "orphaned_pods_nodes",
      workers: 1,
      async reconcile(name): Promise<WorkResult> {
        if (nodes.indexer.getByKey(name) || (await isNodeThere(name))) return;
        for (const pod of pods.indexer.byIndex(nodeIndex, name)) await collect(pod, "orphaned");
      },
    });
    const noticePod = (pod: CachedPod): void => {
      const nodeName = pod.spec?.nodeName ?? "";
      if (planPod(pod, nodes.indexer.getByKey(nodeName))) podLoop.queue.add(keyOf(pod));
      // The caches are filled one after the other: the node may be on its way.
      if (nodeName !== "" && !nodes.indexer.getByKey(nodeName)) nodeLoop.queue.addAfter(nodeName, quarantineMs);
      if (!isTerminated(pod)) terminated.delete(keyOf(pod));
      else if (terminated.add(keyOf(pod)).size > threshold && threshold > 0)
        podLoop.queue.addAfter(terminatedKey, countPeriodMs);
    };
    podLoop.handle(pods, {
      onAdd: noticePod,
      onUpdate: (_, pod) => noticePod(pod),
      onDelete: (pod) => void terminated.delete(keyOf(pod)),
    });
    podLoop.watchFor(nodes, (node, old) =>
      isOutOfService(node) && !(old && isOutOfService(old))
        ? pods.indexer.byIndex(nodeIndex, node.metadata?.name ?? "").map(keyOf)
        : [],
    );
    nodeLoop.handle(nodes, {
      onDelete({ metadata }) {
        const name = metadata?.name ?? "";
        if (pods.indexer.byIndex(nodeIndex, name).length > 0) nodeLoop.queue.addAfter(name, quarantineMs);
      },
    });

    async function isNodeThere(name: string): Promise<boolean> {
      try {
        await client.core.v1.nodes().get(name);
        return true;
      } catch (error) {
        if (isNotFound(error)) return false;
        throw error;
      }
    }

    async function collectTerminated(): Promise<void> {
      const known = [...terminated].flatMap((key) => pods.indexer.getByKey(key) ?? []);
      const surplus = planSurplus(known, threshold);
      for (let at = 0; at < surplus.length; at += groupSize)
        await Promise.all(
          surplus.slice(at, at + groupSize).map((pod) =>
            collect(pod, "terminated").catch((error: unknown) => {
              // One pod must not keep the others; the next count tries again.
              runtime.log.warn("a terminated pod was not deleted", { pod: keyOf(pod), error });
            }),
          ),
        );
    }

    /** A pod that has not stopped is marked as failed first: where there is no kubelet, nobody else would. */
    async function collect(pod: CachedPod, reason: Reason): Promise<void> {
      const { namespace = "", name = "", uid } = pod.metadata ?? {};
      deletions.with(namespace, reason).add(1);
      try {
        if (!isPodTerminal(pod))
          await client.core.v1
            .pods(namespace)
            .subresource<Pod>("status")
            .patch(name, { strategic: { metadata: { uid }, status: failedStatus(pod, reason) } });
        await client.core.v1.pods(namespace).delete(name, { gracePeriodSeconds: 0 });
      } catch (error) {
        if (isNotFound(error)) return;
        failures.with(namespace, reason).add(1);
        throw error;
      }
    }

    function failedStatus(pod: CachedPod, reason: Reason): object {
      const { generation } = pod.metadata ?? {};
      const message = "PodGC: node no longer exists";
      return {
        phase: "Failed",
        ...(generation !== undefined && { observedGeneration: generation }),
        ...(reason === "orphaned" && {
          conditions: [disruptionTarget(pod, { reason: "DeletionByPodGC", message, now: runtime.clock.now() })],
        }),
      };
    }

    return {
      run() {
        podLoop.run();
        nodeLoop.run();
      },
      async stop() {
        await Promise.all([podLoop.stop(), nodeLoop.stop()]);
      },
    };
  },
};
