import type { MutatingAdmissionPolicySpec } from "@coxswain/api/admissionregistration/v1";
import { quoteGo } from "@coxswain/apimachinery/field";
import { StatusError } from "@coxswain/apimachinery/status";
import type { AdmissionAttributes } from "../../admission.js";
import { forbid } from "../../forbid.js";
import type { Binding, Policy } from "../policy-hooks.js";

/** Why a policy could not do its work. */
export interface PolicyFailure {
  readonly policy: Policy<MutatingAdmissionPolicySpec>;
  /** Left out where the policy itself is at fault. */
  readonly binding?: Binding;
  readonly message: string;
  /** @default Forbidden */
  readonly reason?: "Invalid";
}

/** Refuses a request unless all policies that failed may be ignored. @throws StatusError */
export function refuseRequest(attributes: AdmissionAttributes, failures: readonly PolicyFailure[]): void {
  const counted = failures.filter(({ policy }) => policy.spec.failurePolicy !== "Ignore");
  const [first] = counted;
  if (!first) return;
  const causes = counted.map((failure) => ({ message: textOf(failure) }));
  const { status } = forbid(attributes, "admission request denied by policy");
  throw new StatusError({
    code: status.code,
    reason: first.reason ?? "Forbidden",
    message: textOf(first),
    details: { ...status.details, causes },
  });
}

function textOf({ policy, binding, message }: PolicyFailure): string {
  const name = policy.metadata.name ?? "";
  return binding
    ? `policy '${name}' with binding '${binding.metadata.name ?? ""}' denied request: ${message}`
    : `policy ${quoteGo(name)} denied request: ${message}`;
}
