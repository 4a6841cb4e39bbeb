import type { Metrics } from "@coxswain/runtime/metrics";
import type { Level } from "./audit-event.js";

export interface AuditMetrics {
  onEvent(): void;
  onLevel(level: Level): void;
  onRejected(): void;
  onLost(plugin: string, count: number): void;
}

/** What the audit log counts, under upstream's names; zero where there is no log. */
export function createAuditMetrics(metrics: Metrics): AuditMetrics {
  const events = metrics
    .counter({ name: "apiserver_audit_event_total", help: "Audit events sent to the backends.", stability: "ALPHA" })
    .with();
  const errors = metrics.counter({
    name: "apiserver_audit_error_total",
    help: "Audit events that a plugin could not keep.",
    labels: ["plugin"],
    stability: "ALPHA",
  });
  const levels = metrics.counter({
    name: "apiserver_audit_level_total",
    help: "Requests by the audit level that the policy gives them.",
    labels: ["level"],
    stability: "ALPHA",
  });
  const rejected = metrics
    .counter({
      name: "apiserver_audit_requests_rejected_total",
      help: "Requests that were refused because their audit event could not be stored.",
      stability: "ALPHA",
    })
    .with();
  return {
    onEvent: () => events.add(1),
    onLevel: (level) => levels.with(level).add(1),
    onRejected: () => rejected.add(1),
    onLost: (plugin, count) => errors.with(plugin).add(count),
  };
}
