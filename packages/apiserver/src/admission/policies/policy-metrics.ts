import type { Clock } from "@coxswain/runtime/clock";
import type { Metrics } from "@coxswain/runtime/metrics";

/** A policy and the binding by which it was evaluated. */
export interface Evaluated {
  readonly policy: string;
  readonly binding: string;
  /** Milliseconds that the evaluation took. */
  readonly ms: number;
  /** What went wrong, or why the request was refused; undefined: nothing. */
  readonly message?: string | undefined;
}

/** Counts what admission policies decide. */
export interface PolicyMetrics {
  readonly clock: Pick<Clock, "monotonic">;
  validated(evaluated: Evaluated, action: "allow" | "deny" | "audit" | "warn"): void;
  mutated(evaluated: Evaluated): void;
}

/** From half a microsecond, which the simplest expression takes upstream. */
const buckets = [0.0000005, 0.001, 0.01, 0.1, 1];

export function createPolicyMetrics(metrics: Metrics, clock: Pick<Clock, "monotonic">): PolicyMetrics {
  const measure = (name: string, options: { labels: readonly string[]; stability: "ALPHA" | "BETA" }) => ({
    total: metrics.counter({
      name: `apiserver_${name}_admission_policy_check_total`,
      help: `Decisions of ${name} admission policies, by policy and binding.`,
      ...options,
    }),
    times: metrics.histogram({
      name: `apiserver_${name}_admission_policy_check_duration_seconds`,
      help: `How long evaluations of ${name} admission policies took, in seconds.`,
      buckets,
      ...options,
    }),
  });
  const common = ["policy", "policy_binding", "error_type"];
  const validating = measure("validating", { labels: [...common, "enforcement_action"], stability: "BETA" });
  const mutating = measure("mutating", { labels: common, stability: "ALPHA" });
  const note = ({ total, times }: typeof validating, ms: number, ...labels: string[]): void => {
    total.with(...labels).add(1);
    times.with(...labels).observe(ms / 1000);
  };
  return {
    clock,
    validated: ({ policy, binding, ms, message }, action) =>
      note(validating, ms, policy, binding, errorType(message), action),
    mutated: ({ policy, binding, ms, message }) => note(mutating, ms, policy, binding, errorType(message)),
  };
}

/** By how the message begins, as upstream distinguishes them (k8s.io/apiserver/pkg/admission/plugin/policy/validating/metrics/errors.go, ErrorType). */
function errorType(message: string | undefined): string {
  if (message === undefined) return "no_error";
  if (message.startsWith("compilation")) return "compile_error";
  if (message.startsWith("validation failed due to running out of cost budget")) return "out_of_budget";
  return "invalid_error";
}
