import { keyOf } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { namedCause } from "../controller/named-cause.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { runTogether } from "../controller/run-together.js";
import { withTimers } from "../controller/with-timers.js";
import { podsByNode } from "../nodes/pods-by-node.js";
import type { ControllerSettings } from "../settings/controller-settings.js";
import { reconcilePod } from "./mark-pods.js";
import { createNodeMetrics, type NodeMetrics } from "./metrics.js";
import type { CachedLease } from "./node-health.js";
import { leaseNamespace, type NodeWork, observeHealth } from "./node-work.js";
import { reconcileHealth } from "./reconcile-health.js";
import { reconcileNode } from "./reconcile-node.js";
import { reconcileZone } from "./reconcile-zone.js";
import { createZones, type Zones } from "./zones.js";

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
    const { client, informers, settings, runtime } = context;
    const nodes = informers.of("core", "v1", "nodes");
    const pods = informers.of("core", "v1", "pods", { indexers: podsByNode });
    const leases = informers.of("coordination", "v1", "leases");
    const metrics = createNodeMetrics(runtime.metrics);
    const work: NodeWork = {
      client,
      runtime,
      recorder: context.recorder("node-controller"),
      metrics,
      zones: zonesOf(settings, metrics),
      nodes: nodes.indexer,
      pods: pods.indexer,
      leases: leases.indexer,
      grace: {
        monitorMs: settings.nodeMonitorGracePeriodMs ?? 50_000,
        startupMs: settings.nodeStartupGracePeriodMs ?? 60_000,
      },
      healths: new Map(),
      registered: new Map(),
      unmarked: new Set(),
      wakeNode: (name) => healthLoop.queue.add(name),
      wakeZone: (zone) => zoneLoop.queue.add(zone),
    };
    const named = (queue: string, item: string): NodeWork => ({ ...work, cause: namedCause(queue, item) });
    const nodeLoop = createReconcileLoop(context, {
      name: "node_lifecycle_controller",
      workers: 8,
      reconcile: (name) => reconcileNode(named("node_lifecycle_controller", name), name),
    });
    nodeLoop.watch(nodes);

    const waitingForBeats = withTimers(context, "deadline");
    const healthLoop = createReconcileLoop(waitingForBeats, {
      name: "node_lifecycle_controller_health",
      workers: 8,
      reconcile: (name) => reconcileHealth(named("node_lifecycle_controller_health", name), name),
    });
    healthLoop.handle(nodes, {
      onAdd: (node) => healthLoop.queue.add(node.metadata?.name ?? ""),
      onUpdate(_, node) {
        observeHealth(work, node);
        healthLoop.queue.add(node.metadata?.name ?? "");
      },
      onDelete: (node) => healthLoop.queue.add(node.metadata?.name ?? ""),
    });
    // A renewed lease moves the deadline alone: the node is looked at when the old one has passed.
    const renew = ({ metadata }: CachedLease): void => {
      const node = metadata?.namespace === leaseNamespace ? nodes.indexer.getByKey(metadata.name ?? "") : undefined;
      if (node) observeHealth(work, node);
    };
    healthLoop.handle(leases, { onAdd: renew, onUpdate: (_, lease) => renew(lease) });

    const zoneLoop = createReconcileLoop(context, {
      name: "node_lifecycle_controller_zones",
      reconcile: (zone) => reconcileZone(named("node_lifecycle_controller_zones", zone), zone),
    });
    const podLoop = createReconcileLoop(context, {
      name: "node_lifecycle_controller_pods",
      workers: 4,
      reconcile: (key) => reconcilePod(named("node_lifecycle_controller_pods", key), key),
    });
    podLoop.watchFor(pods, (pod, old) =>
      pod.spec?.nodeName && pod.spec.nodeName !== old?.spec?.nodeName ? [keyOf(pod)] : [],
    );
    return runTogether(nodeLoop, healthLoop, zoneLoop, podLoop);
  },
};

const zonesOf = (settings: ControllerSettings, metrics: NodeMetrics): Zones =>
  createZones(
    {
      rate: settings.nodeEvictionRate ?? 0.1,
      secondaryRate: settings.secondaryNodeEvictionRate ?? 0.01,
      largeZone: settings.largeClusterSizeThreshold ?? 50,
      unhealthyFraction: settings.unhealthyZoneThreshold ?? 0.55,
    },
    (zone, counts) => metrics.zone(zone, counts),
  );
