import type { MetricsRegistry } from "@coxswain/component/metrics";

/** controller-runtime's metric of an election; to be called with each change. */
export function countLeadership(metrics: MetricsRegistry, id: string): (leading: boolean) => void {
  const gauge = metrics.gauge({
    name: "leader_election_master_status",
    help: "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master. 'name' is the string used to identify the lease. Please make sure to group by name.",
    labels: ["name"],
    stability: "none",
  });
  gauge.with(id).set(0);
  return (leading) => gauge.with(id).set(leading ? 1 : 0);
}
