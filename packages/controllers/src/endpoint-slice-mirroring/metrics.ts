import { exponentialBuckets, type Metrics } from "@coxswain/runtime/metrics";
import type { SliceOperation } from "../service-endpoints/write-slices.js";
import type { MirrorPlan } from "./plan.js";

/** What the mirroring controller counts about itself, under upstream's names (pkg/controller/endpointslicemirroring/metrics/metrics.go). */
export interface MirrorMetrics {
  changed(operation: SliceOperation): void;
  /** How Endpoints, "namespace/name", will be mirrored. */
  planned(endpoints: string, plan: MirrorPlan): void;
  /** Endpoints that are mirrored no more. */
  forget(endpoints: string): void;
  synced(seconds: number): void;
}

interface Totals {
  readonly endpoints: number;
  readonly slices: number;
  readonly desiredSlices: number;
}

const zero: Totals = { endpoints: 0, slices: 0, desiredSlices: 0 };

export function createMirrorMetrics(metrics: Metrics, maxPerSlice: number): MirrorMetrics {
  const named = (name: string, help: string) =>
    ({ name: `endpoint_slice_mirroring_controller_${name}`, help, stability: "ALPHA" }) as const;
  const perSync = (name: string, help: string) =>
    metrics.histogram({ ...named(`${name}_per_sync`, help), buckets: exponentialBuckets(2, 2, 15) });
  const added = perSync("endpoints_added", "Endpoints added to mirrored slices");
  const updated = perSync("endpoints_updated", "Endpoints changed in mirrored slices");
  const removed = perSync("endpoints_removed", "Endpoints removed from mirrored slices");
  const skipped = perSync("addresses_skipped", "Addresses left out for being invalid or beyond the limit of a subset");
  const duration = metrics.histogram({
    ...named("endpoints_sync_duration", "How long Endpoints were looked at, in seconds"),
    buckets: exponentialBuckets(0.001, 2, 15),
  });
  const endpointCount = metrics.gauge(named("endpoints_desired", "Endpoints to be mirrored"));
  const sliceCount = metrics.gauge(named("num_endpoint_slices", "EndpointSlices that mirror Endpoints"));
  const desiredCount = metrics.gauge(
    named("desired_endpoint_slices", "EndpointSlices there would be if all were full"),
  );
  const changes = metrics.counter({ ...named("changes", "Writes of mirrored EndpointSlices"), labels: ["operation"] });
  const known = new Map<string, Totals>();

  function count(endpoints: string, after: Totals): void {
    const before = known.get(endpoints) ?? zero;
    endpointCount.with().add(after.endpoints - before.endpoints);
    sliceCount.with().add(after.slices - before.slices);
    desiredCount.with().add(after.desiredSlices - before.desiredSlices);
  }
  return {
    changed: (operation) => changes.with(operation).add(1),
    planned(endpoints, plan) {
      added.with().observe(plan.added);
      updated.with().observe(plan.updated);
      removed.with().observe(plan.removed);
      skipped.with().observe(plan.skipped);
      const sum = (of: (group: { endpoints: number; slices: number }) => number): number =>
        plan.groups.reduce((total, group) => total + of(group), 0);
      const totals: Totals = {
        endpoints: sum((group) => group.endpoints),
        slices: sum((group) => group.slices),
        desiredSlices: sum((group) => Math.ceil(group.endpoints / maxPerSlice)),
      };
      count(endpoints, totals);
      known.set(endpoints, totals);
    },
    forget(endpoints) {
      count(endpoints, zero);
      known.delete(endpoints);
    },
    synced: (seconds) => duration.with().observe(seconds),
  };
}
