import type { Clock } from "@coxswain/runtime/clock";
import type { Metrics } from "@coxswain/runtime/metrics";
import { hashLabel } from "../metrics/hash-label.js";
import { identityName } from "./identity-name.js";

/** What is counted of a file that is read again when it changes. */
export interface ReloadMetrics {
  /** This is its content now. */
  read(text: string): void;
  /** A change of it took effect. */
  reloaded(text: string): void;
  /** A change of it could not be used. */
  failed(): void;
}

/** `what`: whose configuration it is. Upstream identifies servers and texts by their hashes. */
export function createReloadMetrics(
  what: "authentication" | "authorization" | "encryption",
  { metrics, hostname, clock }: { metrics: Metrics; hostname: string; clock: Pick<Clock, "now"> },
): ReloadMetrics {
  const prefix = `apiserver_${what}_config_controller_`;
  const server = hashLabel(identityName(hostname));
  const labels = ["status", "apiserver_id_hash"];
  const stability = what === "encryption" ? "ALPHA" : "BETA";
  const total = metrics.counter({
    name: `${prefix}automatic_reloads_total`,
    help: `How often a changed ${what} configuration was read, by how that went.`,
    labels,
    stability,
  });
  const times = metrics.gauge({
    name: `${prefix}automatic_reload_last_timestamp_seconds`,
    help: `When a changed ${what} configuration was last read, by how that went.`,
    labels,
    stability,
  });
  let current = "";
  metrics.collectGauge(
    {
      name: `${prefix}last_config_info`,
      help: `The hash of the ${what} configuration in use.`,
      labels: ["apiserver_id_hash", "hash"],
      stability: "ALPHA",
    },
    (report) => {
      if (current !== "") report(1, server, current);
    },
  );
  const count = (status: string): void => {
    total.with(status, server).add(1);
    times.with(status, server).set(clock.now() / 1000);
  };
  return {
    read: (text) => void (current = hashLabel(text)),
    reloaded(text) {
      count("success");
      current = hashLabel(text);
    },
    failed: () => count("failure"),
  };
}
