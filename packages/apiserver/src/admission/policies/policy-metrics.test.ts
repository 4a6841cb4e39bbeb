import { createMetrics } from "@coxswain/component/metrics";
import { describe, expect, it } from "vitest";
import { createPolicyMetrics } from "./policy-metrics.js";

const labels = (message?: string): string => {
  const metrics = createMetrics({ countItself: false });
  createPolicyMetrics(metrics, { monotonic: () => 0 }).mutated({ policy: "p", binding: "b", ms: 1, message });
  return /mutating_admission_policy_check_total\{error_type="(\w+)",policy="p",policy_binding="b"\} 1/.exec(
    metrics.text(),
  )?.[1] as string;
};

describe("metrics of admission policies", () => {
  const cases = [
    { name: "nothing went wrong", message: undefined, want: "no_error" },
    { name: "an expression does not compile", message: "compilation error: x", want: "compile_error" },
    {
      name: "the budget is spent",
      message: "validation failed due to running out of cost budget, no further validation rules will be run",
      want: "out_of_budget",
    },
    { name: "anything else", message: "no such key: a", want: "invalid_error" },
  ];
  for (const { name, message, want } of cases) it(name, () => expect(labels(message)).toBe(want));

  it("a decision is counted by what was done about it", () => {
    const metrics = createMetrics({ countItself: false });
    const policy = createPolicyMetrics(metrics, { monotonic: () => 0 });
    policy.validated({ policy: "p", binding: "b", ms: 2, message: "failed expression: false" }, "warn");
    expect(metrics.text()).toContain(
      'apiserver_validating_admission_policy_check_total{enforcement_action="warn",error_type="invalid_error",policy="p",policy_binding="b"} 1\n',
    );
    expect(metrics.text()).toContain("apiserver_validating_admission_policy_check_duration_seconds_sum");
  });
});
