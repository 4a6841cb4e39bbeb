import type { DeepReadonly } from "@coxswain/api";
import type { Node, NodeCondition, Pod, Taint } from "@coxswain/api/core/v1";
import { isConflict, isNotFound } from "@coxswain/apimachinery/status";
import { withTimerKind } from "@coxswain/runtime/clock";
import { formatTime } from "@coxswain/apimachinery/time";
import { keyOf } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { ignoreGone } from "../controller/ignore-gone.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { runTogether } from "../controller/run-together.js";
import { swapTaints } from "../nodes/node-taints.js";
import { nodeIndex, podsByNode } from "../nodes/pods-by-node.js";
import { type CachedPod, podCondition } from "../pods/pod-state.js";
import { type DisruptionPlan, zoneOf } from "./disruption.js";
import {
  type CachedLease,
  type CachedNode,
  type NodeHealth,
  observe,
  planHealth,
  readyStatusOf,
} from "./node-health.js";
import { createNodeMetrics } from "./metrics.js";
import {
  noExecuteTaints,
  notReady,
  planLabels,
  planNoExecute,
  planNoSchedule,
  type TaintChanges,
  unreachable,
} from "./plan.js";
import { createZones } from "./zones.js";

const leaseNamespace = "kube-node-lease";

/**
 * Finds nodes that have fallen silent: their conditions become unknown, their pods not ready, and taints keep pods away and make
 * them leave, slowly, and not at all when everything fails at once.
 *
 * Upstream looks at all nodes every five seconds. Here heartbeats only move a node's deadline, and a node is looked at when it
 * changes or when its deadline has passed.
 */
export const nodeLifecycleController: Controller = {
  name: "node-lifecycle-controller",
  aliases: ["nodelifecycle"],
  serviceAccount: "node-controller",
  start(context) {
    const { client, informers, settings } = context;
    const { clock, log } = context.runtime;
    const nodes = informers.of("core", "v1", "nodes");
    const pods = informers.of("core", "v1", "pods", { indexers: podsByNode });
    const leases = informers.of("coordination", "v1", "leases");
    const recorder = context.recorder("node-controller");
    const grace = {
      monitorMs: settings.nodeMonitorGracePeriodMs ?? 50_000,
      startupMs: settings.nodeStartupGracePeriodMs ?? 60_000,
    };
    const metrics = createNodeMetrics(context.runtime.metrics);
    const zones = createZones(
      {
        rate: settings.nodeEvictionRate ?? 0.1,
        secondaryRate: settings.secondaryNodeEvictionRate ?? 0.01,
        largeZone: settings.largeClusterSizeThreshold ?? 50,
        unhealthyFraction: settings.unhealthyZoneThreshold ?? 0.55,
      },
      (zone, counts) => metrics.zone(zone, counts),
    );
    const healths = new Map<string, NodeHealth>();
    const registered = new Map<string, string>();
    /** Nodes of which not all pods could be marked. */
    const unmarked = new Set<string>();

    const waitingForBeats = { ...context, runtime: { ...context.runtime, clock: withTimerKind(clock, "deadline") } };

    const record = (node: { name: string; uid: string }, reason: string, message: string): void =>
      recorder.event({ apiVersion: "v1", kind: "Node", ...node }, { type: "Normal", reason, message });

    const observeHealth = (node: CachedNode): NodeHealth => {
      const name = node.metadata?.name ?? "";
      const lease = leases.indexer.getByKey(`${leaseNamespace}/${name}`);
      const health = observe(healths.get(name), { node, lease, nowMs: clock.now() });
      healths.set(name, health);
      return health;
    };

    /** Others write nodes too: after a conflict the newest state is changed, once; the queue retries then. */
    async function writeTaints(node: CachedNode, changes: TaintChanges): Promise<void> {
      const name = node.metadata?.name ?? "";
      const write = async (current: CachedNode): Promise<void> => {
        const taints = swapTaints(current.spec?.taints, { ...changes, now: formatTime(clock.now()) });
        if (!taints) return;
        const { resourceVersion = "" } = current.metadata ?? {};
        const spec = { taints: taints.length > 0 ? (taints as Taint[]) : null };
        await client.core.v1.nodes().patch(name, { merge: { metadata: { resourceVersion }, spec } });
      };
      await write(node)
        .catch(async (error: unknown) => {
          if (!isConflict(error)) throw error;
          await write(await client.core.v1.nodes().get(name));
        })
        .catch(ignoreGone);
    }

    /** Labels, and taints that keep new pods away. */
    const nodeLoop = createReconcileLoop(context, {
      name: "node_lifecycle_controller",
      workers: 8,
      async reconcile(name) {
        const node = nodes.indexer.getByKey(name);
        if (!node) return;
        await writeTaints(node, planNoSchedule(node));
        const labels = planLabels(node);
        if (labels)
          await client.core.v1
            .nodes()
            .patch(name, { merge: { metadata: { labels } } })
            .catch(ignoreGone);
      },
    });
    nodeLoop.watch(nodes);

    const healthLoop = createReconcileLoop(waitingForBeats, {
      name: "node_lifecycle_controller_health",
      workers: 8,
      async reconcile(name) {
        const node = nodes.indexer.getByKey(name);
        if (!node) return forget(name);
        const began = clock.monotonic();
        const uid = node.metadata?.uid ?? "";
        if (!registered.has(name)) {
          registered.set(name, uid);
          record({ name, uid }, "RegisteredNode", `Node ${name} event: Registered Node ${name} in Controller`);
          if (readyStatusOf(node) !== "True") {
            // The process before this one may have been killed after the node's condition and before its pods.
            unmarked.add(name);
            await writeTaints(node, { add: [], remove: [unreachable, notReady] });
          }
        }
        const { lastSeenMs } = observeHealth(node);
        const nowMs = clock.now();
        const plan = planHealth(node, { lastSeenMs, nowMs, now: formatTime(nowMs), grace });
        const current =
          plan.kind === "unreachable" && plan.conditions ? await writeConditions(node, plan.conditions) : node;
        const isReady = readyStatusOf(current) === "True";
        // Noted first: a try after a failure below finds the node as it has become.
        if (!isReady && readyStatusOf(node) === "True") {
          record({ name, uid }, "NodeNotReady", `Node ${name} status is now: NodeNotReady`);
          unmarked.add(name);
        }
        await judge(zones.count(current, nowMs));
        await taint(current);
        if (!isReady && unmarked.has(name)) {
          // An error leaves the rest for the next try.
          for (const pod of pods.indexer.byIndex(nodeIndex, name)) await markNotReady(pod);
        }
        unmarked.delete(name);
        metrics.updated((clock.monotonic() - began) / 1000);
        if (plan.kind === "reachable") return { requeueAfterMs: plan.dueMs - nowMs + 1 };
      },
    });
    healthLoop.handle(nodes, {
      onAdd: (node) => healthLoop.queue.add(node.metadata?.name ?? ""),
      onUpdate(_, node) {
        observeHealth(node);
        healthLoop.queue.add(node.metadata?.name ?? "");
      },
      onDelete: (node) => healthLoop.queue.add(node.metadata?.name ?? ""),
    });
    // A renewed lease moves the deadline alone: the node is looked at when the old one has passed.
    const renew = ({ metadata }: CachedLease): void => {
      const node = metadata?.namespace === leaseNamespace ? nodes.indexer.getByKey(metadata.name ?? "") : undefined;
      if (node) observeHealth(node);
    };
    healthLoop.handle(leases, { onAdd: renew, onUpdate: (_, lease) => renew(lease) });

    async function forget(name: string): Promise<void> {
      const uid = registered.get(name);
      healths.delete(name);
      unmarked.delete(name);
      registered.delete(name);
      if (uid !== undefined)
        record({ name, uid }, "RemovingNode", `Node ${name} event: Removing Node ${name} from Controller`);
      await judge(zones.discount(name, clock.now()));
    }

    async function writeConditions(
      node: CachedNode,
      conditions: readonly DeepReadonly<NodeCondition>[],
    ): Promise<CachedNode> {
      return client.core.v1.nodes().updateStatus({
        ...(node as Node),
        status: { ...(node as Node).status, conditions: conditions as NodeCondition[] },
      });
    }

    async function judge({ rates, everywhere }: DisruptionPlan): Promise<void> {
      for (const [zone, rate] of rates) if (rate > 0) zoneLoop.queue.add(zone);
      if (everywhere === "enter") {
        log.info("no node is ready: pods are not made to leave");
        for (const node of nodes.indexer.list()) await reach(node);
      } else if (everywhere === "leave") {
        log.info("some nodes are ready again: pods of others may be made to leave");
        for (const [name, health] of healths) {
          healths.set(name, { ...health, lastSeenMs: clock.now() });
          healthLoop.queue.add(name);
        }
      }
    }

    /** Nothing makes the node's pods leave. */
    async function reach(node: CachedNode): Promise<void> {
      zones.queueOf(zoneOf(node)).remove(node.metadata?.name ?? "");
      await writeTaints(node, { add: [], remove: [unreachable, notReady] });
    }

    async function taint(node: CachedNode): Promise<void> {
      const plan = planNoExecute(node);
      if (plan.kind === "reachable") return reach(node);
      if (plan.kind === "swap") return writeTaints(node, plan);
      if (plan.kind !== "queue") return;
      const zone = zoneOf(node);
      zones.queueOf(zone).add(node.metadata?.name ?? "");
      zoneLoop.queue.add(zone);
    }

    /** Taints the nodes that wait for it, at the rate of their zone. */
    const zoneLoop = createReconcileLoop(context, {
      name: "node_lifecycle_controller_zones",
      async reconcile(zone) {
        const next = zones.queueOf(zone).take(clock.now());
        if (!next) return;
        if ("waitMs" in next) return { requeueAfterMs: next.waitMs };
        try {
          // The cache may not have seen yet that the node is not ready, and its turn would be lost.
          const node = await client.core.v1.nodes().get(next.node);
          const status = readyStatusOf(node);
          if (status !== undefined && status !== "True") {
            const { add, remove } = noExecuteTaints(status);
            await writeTaints(node, { add: [add], remove: [remove] });
            metrics.evicted(zone);
          }
        } catch (error) {
          if (isNotFound(error)) return { requeueAfterMs: 0 };
          zones.queueOf(zone).add(next.node);
          throw error;
        }
        return { requeueAfterMs: 0 };
      },
    });

    /** Pods that come to a node which is not ready. */
    const podLoop = createReconcileLoop(context, {
      name: "node_lifecycle_controller_pods",
      workers: 4,
      async reconcile(key) {
        const pod = pods.indexer.getByKey(key);
        const node = pod?.spec?.nodeName ? nodes.indexer.getByKey(pod.spec.nodeName) : undefined;
        const status = node && readyStatusOf(node);
        if (pod && node && healths.has(node.metadata?.name ?? "") && status !== undefined && status !== "True")
          await markNotReady(pod);
      },
    });
    podLoop.watchFor(pods, (pod, old) =>
      pod.spec?.nodeName && pod.spec.nodeName !== old?.spec?.nodeName ? [keyOf(pod)] : [],
    );

    async function markNotReady(pod: CachedPod): Promise<void> {
      const ready = podCondition(pod, "Ready");
      if (!ready || ready.status === "False") return;
      const { name = "", namespace = "", uid = "", resourceVersion } = pod.metadata ?? {};
      const condition = { ...ready, status: "False", lastTransitionTime: formatTime(clock.now()) };
      await client.core.v1
        .pods(namespace)
        .subresource<Pod>("status")
        .patch(name, { strategic: { metadata: { uid, resourceVersion }, status: { conditions: [condition] } } })
        .catch(ignoreGone);
      recorder.event(
        { apiVersion: "v1", kind: "Pod", name, namespace, uid },
        { type: "Warning", reason: "NodeNotReady", message: "Node is not ready" },
      );
    }

    return runTogether(nodeLoop, healthLoop, zoneLoop, podLoop);
  },
};
