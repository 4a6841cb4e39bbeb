import { isNotFound } from "@coxswain/apimachinery/status";
import { keyOf } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import type { Controller, ControllerContext } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { runTogether } from "../controller/run-together.js";
import { nodeIndex, podsByNode } from "../nodes/pods-by-node.js";
import type { CachedPod } from "../pods/pod-state.js";
import { isOutOfService, isTerminated, planPod, planSurplus } from "./plan.js";
import { PodCollector } from "./pod-collector.js";

/** How long a node may be missing in the cache before the server is asked for it, in milliseconds. */
const quarantineMs = 40_000;
/** Terminated pods are counted at most so often. */
const countPeriodMs = 20_000;
const defaultThreshold = 12_500;
/** The key of all terminated pods; keys of pods have a slash. */
const terminatedKey = "terminated";

/** Deletes pods that nobody else will: on nodes that are gone or out of service, never bound, or terminated and too many. */
export const podGarbageCollectorController: Controller = {
  name: "pod-garbage-collector-controller",
  aliases: ["podgc"],
  serviceAccount: "pod-garbage-collector",
  start(context) {
    const { client, informers, settings } = context;
    const pods = informers.of("core", "v1", "pods", { indexers: podsByNode });
    const nodes = informers.of("core", "v1", "nodes");
    const threshold = settings.terminatedPodThreshold ?? defaultThreshold;
    const collector = new PodCollector(context);
    /** Keys of terminated pods. */
    const terminated = new Set<string>();
    const knownTerminated = (): CachedPod[] => [...terminated].flatMap((key) => pods.indexer.getByKey(key) ?? []);

    const podLoop = createReconcileLoop(context, {
      name: "pod_garbage_collector",
      workers: 5,
      async reconcile(key): Promise<WorkResult> {
        if (key === terminatedKey) return collector.collectTerminated(planSurplus(knownTerminated(), threshold));
        const pod = pods.indexer.getByKey(key);
        const reason = pod && planPod(pod, nodes.indexer.getByKey(pod.spec?.nodeName ?? ""));
        if (reason) await collector.collect(pod, reason);
      },
    });
    const nodeLoop = createReconcileLoop(context, {
      name: "orphaned_pods_nodes",
      workers: 1,
      async reconcile(name): Promise<WorkResult> {
        if (nodes.indexer.getByKey(name) || (await isNodeThere(client, name))) return;
        for (const pod of pods.indexer.byIndex(nodeIndex, name)) await collector.collect(pod, "orphaned");
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

    return runTogether(podLoop, nodeLoop);
  },
};

async function isNodeThere(client: ControllerContext["client"], name: string): Promise<boolean> {
  try {
    await client.core.v1.nodes().get(name);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
