import {
  type DisruptionPlan,
  type DisruptionSettings,
  isExcluded,
  planDisruption,
  type ZoneCounts,
  type ZoneState,
  zoneOf,
} from "./disruption.js";
import type { CachedNode } from "./node-health.js";
import { readyStatusOf } from "./node-health.js";
import { createTaintQueue, type TaintQueue } from "./taint-queue.js";

/** The zones of the cluster: how many of their nodes are ready, their states, and their queues of nodes to taint. */
export interface Zones {
  /** Counts the node as it is now. Answers what that means for the zones, if anything. */
  count(node: CachedNode, nowMs: number): DisruptionPlan;
  /** The node is gone. */
  discount(name: string, nowMs: number): DisruptionPlan;
  queueOf(zone: string): TaintQueue;
}

/** `onCount` is called when a zone's counts have changed. */
export function createZones(
  settings: DisruptionSettings,
  onCount: (zone: string, counts: ZoneCounts) => void = () => {},
): Zones {
  const counted = new Map<string, { readonly zone: string; readonly isReady: boolean; readonly counts: boolean }>();
  const counts = new Map<string, ZoneCounts>();
  const queues = new Map<string, TaintQueue>();
  let states: ReadonlyMap<string, ZoneState> = new Map();

  function change(zone: string, isReady: boolean, by: number): void {
    const { ready, notReady } = counts.get(zone) ?? { ready: 0, notReady: 0 };
    const next = isReady ? { ready: ready + by, notReady } : { ready, notReady: notReady + by };
    if (next.ready + next.notReady > 0) counts.set(zone, next);
    else counts.delete(zone);
    onCount(zone, next);
  }
  function forget(name: string): void {
    const known = counted.get(name);
    if (known?.counts) change(known.zone, known.isReady, -1);
    counted.delete(name);
    if (known) queues.get(known.zone)?.remove(name);
  }
  function plan(nowMs: number): DisruptionPlan {
    const plan = planDisruption(states, counts, settings);
    states = plan.states;
    for (const [zone, rate] of plan.rates) self.queueOf(zone).setRate(rate, nowMs);
    return plan;
  }
  const self: Zones = {
    count(node, nowMs) {
      const name = node.metadata?.name ?? "";
      const next = { zone: zoneOf(node), isReady: readyStatusOf(node) === "True", counts: !isExcluded(node) };
      const known = counted.get(name);
      if (known && known.zone === next.zone && known.isReady === next.isReady && known.counts === next.counts)
        return { states, rates: new Map() };
      forget(name);
      counted.set(name, next);
      if (next.counts) change(next.zone, next.isReady, 1);
      return plan(nowMs);
    },
    discount(name, nowMs) {
      forget(name);
      return plan(nowMs);
    },
    queueOf(zone) {
      const queue = queues.get(zone) ?? createTaintQueue(settings.rate);
      queues.set(zone, queue);
      return queue;
    },
  };
  return self;
}
