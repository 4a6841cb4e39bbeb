import type { Metrics } from "@coxswain/runtime/metrics";
import type { AdmissionOperation } from "../admission.js";

/** As metrics call the two plugins. */
export type WebhookType = "admit" | "validating";

/** Why a webhook's part in a request ended with a refusal. */
export type RejectionCause = "calling_webhook_error" | "apiserver_internal_error" | "no_error";

/** One webhook and the operation of the request that it was asked about. */
export interface MeasuredCall {
  readonly name: string;
  readonly type: WebhookType;
  readonly operation: AdmissionOperation;
}

export interface WebhookMetrics {
  /** A call has ended. */
  called(call: MeasuredCall, result: { readonly ms: number; readonly rejected: boolean; readonly code: number }): void;
  rejected(call: MeasuredCall, cause: RejectionCause, code: number): void;
  failedOpen(call: MeasuredCall): void;
  /** Match conditions were evaluated; so many of them failed. */
  evaluated(
    call: MeasuredCall,
    result: { readonly ms: number; readonly errors: number; readonly excluded: boolean },
  ): void;
}

/** Codes come from webhooks: larger ones are all counted as this. */
const mostCode = 600;
const kind = "webhook";

export function createWebhookMetrics(metrics: Metrics): WebhookMetrics {
  const named = (name: string) => `apiserver_admission_${name}`;
  const durations = metrics.histogram({
    name: named("webhook_admission_duration_seconds"),
    help: "How long an admission webhook took, in seconds.",
    labels: ["name", "type", "operation", "rejected"],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25],
    stability: "STABLE",
  });
  const requests = metrics.counter({
    name: named("webhook_request_total"),
    help: "Calls of admission webhooks, by the code that they ended with.",
    labels: ["name", "type", "operation", "code", "rejected"],
    stability: "ALPHA",
  });
  const rejections = metrics.counter({
    name: named("webhook_rejection_count"),
    help: "Requests that were refused because of an admission webhook, by cause.",
    labels: ["name", "type", "operation", "error_type", "rejection_code"],
    stability: "ALPHA",
  });
  const failOpen = metrics.counter({
    name: named("webhook_fail_open_count"),
    help: "Calls of admission webhooks that failed and were ignored.",
    labels: ["name", "type"],
    stability: "ALPHA",
  });
  const conditionLabels = ["name", "kind", "type", "operation"];
  const conditionErrors = metrics.counter({
    name: named("match_condition_evaluation_errors_total"),
    help: "Match conditions that could not be evaluated.",
    labels: conditionLabels,
    stability: "ALPHA",
  });
  const exclusions = metrics.counter({
    name: named("match_condition_exclusions_total"),
    help: "Requests that match conditions kept from a webhook or policy.",
    labels: conditionLabels,
    stability: "ALPHA",
  });
  const conditionDurations = metrics.histogram({
    name: named("match_condition_evaluation_seconds"),
    help: "How long match conditions took, in seconds.",
    labels: conditionLabels,
    buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
    stability: "ALPHA",
  });
  const codeText = (code: number): string => String(Math.min(code, mostCode));
  return {
    called({ name, type, operation }, { ms, rejected, code }) {
      requests.with(name, type, operation, codeText(code), String(rejected)).add(1);
      durations.with(name, type, operation, String(rejected)).observe(ms / 1000);
    },
    rejected: ({ name, type, operation }, cause, code) =>
      rejections.with(name, type, operation, cause, codeText(code)).add(1),
    failedOpen: ({ name, type }) => failOpen.with(name, type).add(1),
    evaluated({ name, type, operation }, { ms, errors, excluded }) {
      const labels = [name, kind, type, operation] as const;
      conditionDurations.with(...labels).observe(ms / 1000);
      if (errors > 0) conditionErrors.with(...labels).add(errors);
      // Exclusions name the pass otherwise than the rest.
      if (excluded) exclusions.with(name, kind, type === "admit" ? "admit" : "validate", operation).add(1);
    },
  };
}
