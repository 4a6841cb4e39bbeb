import type { Clock } from "@coxswain/runtime/clock";
import type { Metrics } from "@coxswain/runtime/metrics";
import type { WebhookOutcome } from "../../webhook/webhook-client.js";
import { type ConditionMetrics, createConditionMetrics } from "./match-conditions.js";

/** What is counted of the webhook with this name. */
export type WebhookMetrics = (name: string) => {
  onTry(outcome: WebhookOutcome, ms: number): void;
  onFailOpen(): void;
  readonly conditionMetrics: ConditionMetrics;
};

export function createWebhookMetrics(metrics: Metrics, clock: Pick<Clock, "monotonic">): WebhookMetrics {
  const conditionMetrics = createConditionMetrics(metrics, clock);
  const labels = ["name", "result"];
  const tries = metrics.counter({
    name: "apiserver_authorization_webhook_evaluations_total",
    help: "Questions sent to webhooks that authorize, by how they went.",
    labels,
    stability: "ALPHA",
  });
  const times = metrics.histogram({
    name: "apiserver_authorization_webhook_duration_seconds",
    help: "How long webhooks that authorize took to answer, in seconds.",
    labels,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    stability: "ALPHA",
  });
  const open = metrics.counter({
    name: "apiserver_authorization_webhook_evaluations_fail_open_total",
    help: "Questions that were left to the next authorizer because a webhook did not answer.",
    labels,
    stability: "ALPHA",
  });
  return (name) => {
    let last: WebhookOutcome = "error";
    return {
      onTry(outcome, ms) {
        last = outcome;
        tries.with(name, outcome).add(1);
        times.with(name, outcome).observe(ms / 1000);
      },
      onFailOpen: () => open.with(name, last).add(1),
      conditionMetrics: conditionMetrics(name),
    };
  };
}
