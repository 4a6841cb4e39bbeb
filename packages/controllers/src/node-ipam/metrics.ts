import { exponentialBuckets, type Metrics } from "@coxswain/runtime/metrics";
import { formatNetwork, type NumericNetwork } from "../networks/ip-network.js";
import type { PoolObserver } from "./network-pool.js";

/** What is counted of the networks that nodes get, under upstream's names. */
export function createPoolMetrics(metrics: Metrics): (whole: NumericNetwork) => PoolObserver {
  const named = (name: string, help: string) =>
    ({ name: `node_ipam_controller_${name}`, help, stability: "ALPHA", labels: ["clusterCIDR"] }) as const;
  const allocations = metrics.counter(named("cidrset_cidrs_allocations_total", "Networks that were taken"));
  const releases = metrics.counter(named("cidrset_cidrs_releases_total", "Networks that were given back"));
  // The letters are upstream's.
  const most = metrics.gauge(named("cirdset_max_cidrs", "Networks that there are"));
  const usage = metrics.gauge(named("cidrset_usage_cidrs", "The share of networks that are taken"));
  const tries = metrics.histogram({
    ...named("cidrset_allocation_tries_per_request", "Networks that were looked at for one that is free"),
    buckets: exponentialBuckets(1, 5, 5),
  });
  return (whole) => {
    const label = formatNetwork(whole);
    return {
      opened: (size) => most.with(label).set(size),
      taken: () => allocations.with(label).add(1),
      released: () => releases.with(label).add(1),
      searched: (count) => tries.with(label).observe(count),
      used: (share) => usage.with(label).set(share),
    };
  };
}
