import type { DeepReadonly } from "@coxswain/api";
import type { MutatingAdmissionPolicyBindingSpec } from "@coxswain/api/admissionregistration/v1";
import { type FieldError, fieldPath, required } from "@coxswain/apimachinery/field";
import { nameIsDnsSubdomain } from "@coxswain/apimachinery/validation";
import { problemsAt } from "../checks/field-errors.js";
import { checkMatchResources } from "./match-validation.js";
import { checkParamRef } from "./param-validation.js";

const specPath = fieldPath("spec");

export function checkBinding({
  policyName = "",
  paramRef,
  matchResources,
}: DeepReadonly<MutatingAdmissionPolicyBindingSpec>): FieldError[] {
  const namePath = specPath.child("policyName");
  return [
    ...(policyName === "" ? [required(namePath)] : problemsAt(namePath, policyName, nameIsDnsSubdomain(policyName))),
    ...(paramRef ? checkParamRef(paramRef, specPath.child("paramRef")) : []),
    ...(matchResources ? checkMatchResources(matchResources, specPath.child("matchResources")) : []),
  ];
}
