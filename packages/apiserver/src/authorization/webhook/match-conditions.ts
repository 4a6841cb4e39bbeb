import type { SubjectAccessReviewSpec } from "@coxswain/api/authorization/v1";
import type { Clock } from "@coxswain/runtime/clock";
import type { Metrics } from "@coxswain/runtime/metrics";
import type { ReviewCondition } from "../authorizer-config.js";

/** What is counted of the conditions of one webhook. */
export interface ConditionMetrics {
  /** Starts to measure; the result ends it. */
  start(): (outcome: { readonly excluded: boolean; readonly failed: boolean }) => void;
}

export function createConditionMetrics(
  metrics: Metrics,
  clock: Pick<Clock, "monotonic">,
): (name: string) => ConditionMetrics {
  const labels = ["type", "name"];
  const stability = "ALPHA";
  const failures = metrics.counter({
    name: "apiserver_authorization_match_condition_evaluation_errors_total",
    help: "Questions for which a match condition of a webhook that authorizes failed.",
    labels,
    stability,
  });
  const exclusions = metrics.counter({
    name: "apiserver_authorization_match_condition_exclusions_total",
    help: "Questions that webhooks that authorize were not asked because of a match condition.",
    labels,
    stability,
  });
  const times = metrics.histogram({
    name: "apiserver_authorization_match_condition_evaluation_seconds",
    help: "How long match conditions of webhooks that authorize took, in seconds.",
    labels,
    buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
    stability,
  });
  return (name) => ({
    start() {
      const began = clock.monotonic();
      return ({ excluded, failed }) => {
        times.with("Webhook", name).observe((clock.monotonic() - began) / 1000);
        if (failed) failures.with("Webhook", name).add(1);
        if (excluded) exclusions.with("Webhook", name).add(1);
      };
    },
  });
}

/** Whether the webhook is to be asked. One condition that does not hold counts more than others that failed. */
export function matchConditions(
  conditions: readonly ReviewCondition[],
  spec: SubjectAccessReviewSpec,
  metrics?: ConditionMetrics,
): { readonly matches: boolean; readonly error?: string } {
  const end = metrics?.start();
  const errors: string[] = [];
  let excluded = false;
  for (const condition of conditions) {
    const { value, error } = condition.evaluate(spec);
    if (error !== undefined) errors.push(`cel evaluation error: ${error}`);
    else if (value !== true) {
      excluded = true;
      break;
    }
  }
  end?.({ excluded, failed: errors.length > 0 });
  if (excluded || errors.length === 0) return { matches: !excluded };
  return { matches: false, error: errors.length === 1 ? (errors[0] as string) : `[${errors.join(", ")}]` };
}
