import type { DeepReadonly } from "@coxswain/api";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, fieldPath, invalid } from "@coxswain/apimachinery/field";
import { validateConditions, validateLabelSelector } from "@coxswain/apimachinery/validation";
import { checkCounts } from "../../checks/counts.js";
import { checkOneOf } from "../../checks/field-errors.js";
import { checkAtMostAll, checkIntOrPercent } from "../../checks/int-or-percent.js";
import type { StoredPodDisruptionBudget } from "./stored.js";

type Budget = DeepReadonly<StoredPodDisruptionBudget>;

const specPath = fieldPath("spec");
const statusPath = fieldPath("status");

/** Of its metadata only what is checked for all objects. */
export function checkPodDisruptionBudget({ spec }: Budget, allowInvalidValues = false): FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec;
  const errors: FieldError[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined)
    errors.push(invalid(specPath, printed(spec), "minAvailable and maxUnavailable cannot be both set"));
  for (const [member, value] of Object.entries({ minAvailable, maxUnavailable })) {
    if (value !== undefined)
      append(errors, [
        ...checkIntOrPercent(value, specPath.child(member)),
        ...checkAtMostAll(value, specPath.child(member)),
      ]);
  }
  append(errors, validateLabelSelector(selector, specPath.child("selector"), { allowInvalidValues }));
  if (policy !== undefined)
    append(
      errors,
      checkOneOf(policy, ["AlwaysAllow", "IfHealthyBudget"], specPath.child("unhealthyPodEvictionPolicy")),
    );
  return errors;
}

export const checkPodDisruptionBudgetUpdate = (next: Budget, old: Budget): FieldError[] =>
  checkPodDisruptionBudget(next, validateLabelSelector(old.spec.selector, undefined).length > 0);

/** As Go prints its own form. */
const printed = ({ minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy }: Budget["spec"]): unknown => ({
  MinAvailable: minAvailable ?? null,
  Selector: selector ?? null,
  MaxUnavailable: maxUnavailable ?? null,
  UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
});

export const checkPodDisruptionBudgetStatus = ({ status }: Budget): FieldError[] => [
  ...validateConditions(status.conditions ?? [], statusPath.child("conditions")),
  ...checkCounts(status, ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"], statusPath),
];
