import { exponentialBuckets, type Metrics } from "@coxswain/runtime/metrics";
import type { SliceOperation } from "../service-endpoints/write-slices.js";

/** The endpoints of a service in one address family. */
export interface FamilyTotals {
  readonly endpoints: number;
  readonly slices: number;
  /** How many slices there would be if all were full. */
  readonly desiredSlices: number;
}

export interface ServiceSync {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly hasZoneHints: boolean;
  readonly trafficDistribution: string | undefined;
}

/** What the EndpointSlice controller counts about itself, under upstream's names. */
export interface SliceMetrics {
  synced(result: "success" | "stale" | "error"): void;
  changed(operation: SliceOperation): void;
  /** A service was brought in line, in one family. */
  placed(service: string, family: string, totals: FamilyTotals, sync: ServiceSync): void;
  forget(service: string): void;
}

const zero: FamilyTotals = { endpoints: 0, slices: 0, desiredSlices: 0 };

export function createSliceMetrics(metrics: Metrics): SliceMetrics {
  const named = (name: string, help: string, stability: "ALPHA" | "BETA", labels: readonly string[] = []) => ({
    name: `endpoint_slice_controller_${name}`,
    help,
    stability,
    labels,
  });
  const buckets = exponentialBuckets(2, 2, 15);
  const added = metrics.histogram({
    ...named("endpoints_added_per_sync", "Endpoints added for a service", "BETA"),
    buckets,
  });
  const removed = metrics.histogram({
    ...named("endpoints_removed_per_sync", "Endpoints removed for a service", "BETA"),
    buckets,
  });
  const changedPerSync = metrics.histogram({
    ...named("endpointslices_changed_per_sync", "EndpointSlices written for a service", "ALPHA", [
      "topology",
      "traffic_distribution",
    ]),
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  const endpoints = metrics.gauge(named("endpoints_desired", "Endpoints of all services", "BETA"));
  const slices = metrics.gauge(named("num_endpoint_slices", "EndpointSlices of all services", "BETA"));
  const desired = metrics.gauge(
    named("desired_endpoint_slices", "EndpointSlices there would be if all were full", "BETA"),
  );
  const changes = metrics.counter(named("changes", "Writes of EndpointSlices", "ALPHA", ["operation"]));
  const syncs = metrics.counter(named("syncs", "Services that were looked at", "ALPHA", ["result"]));
  const distributions = metrics.gauge(
    named("services_count_by_traffic_distribution", "Services by their traffic distribution", "BETA", [
      "traffic_distribution",
    ]),
  );
  const known = new Map<string, { readonly families: Map<string, FamilyTotals>; distribution: string | undefined }>();

  function count(before: FamilyTotals, after: FamilyTotals): void {
    endpoints.with().add(after.endpoints - before.endpoints);
    slices.with().add(after.slices - before.slices);
    desired.with().add(after.desiredSlices - before.desiredSlices);
  }
  function move(from: string | undefined, to: string | undefined): void {
    if (from === to) return;
    if (from !== undefined) distributions.with(from).add(-1);
    if (to !== undefined) distributions.with(to).add(1);
  }
  return {
    synced: (result) => syncs.with(result).add(1),
    changed: (operation) => changes.with(operation).add(1),
    placed(service, family, totals, sync) {
      added.with().observe(sync.added);
      removed.with().observe(sync.removed);
      changedPerSync
        .with(sync.hasZoneHints ? "Auto" : "Disabled", sync.trafficDistribution ?? "")
        .observe(sync.changed);
      const entry = known.get(service) ?? { families: new Map<string, FamilyTotals>(), distribution: undefined };
      known.set(service, entry);
      count(entry.families.get(family) ?? zero, totals);
      entry.families.set(family, totals);
      move(entry.distribution, sync.trafficDistribution);
      entry.distribution = sync.trafficDistribution;
    },
    forget(service) {
      const entry = known.get(service);
      for (const totals of entry?.families.values() ?? []) count(totals, zero);
      move(entry?.distribution, undefined);
      known.delete(service);
    },
  };
}
