import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { approvalOf, isProtectedGroup } from "./approval.js";
import { findCondition, isSameCondition, type Status, type WantedCondition, withCondition } from "./conditions.js";

type Definition = DeepReadonly<Pick<CustomResourceDefinition, "metadata" | "spec" | "status">>;

const conditions = {
  missing: { status: "False", reason: "MissingAnnotation" },
  invalid: { status: "False", reason: "InvalidAnnotation" },
  bypassed: { status: "False", reason: "UnapprovedAnnotation" },
  approved: { status: "True", reason: "ApprovedAnnotation" },
} as const;

/** The status with whether an API in one of Kubernetes' own groups was approved; undefined where it has that condition already. */
export function planApproval(definition: Definition, now: number): Status | undefined {
  const { metadata, spec, status = {} } = definition;
  if (!isProtectedGroup(spec.group)) return undefined;
  const { state, message } = approvalOf(metadata?.annotations);
  const wanted: WantedCondition = { type: "KubernetesAPIApprovalPolicyConformant", ...conditions[state], message };
  return isSameCondition(wanted, findCondition(definition, wanted.type))
    ? undefined
    : withCondition(status, wanted, now);
}
