import type { DeepReadonly } from "@coxswain/api";
import type { TopologySpreadConstraint } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { duplicate, type FieldError, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { validateLabelSelector } from "@coxswain/apimachinery/validation";
import { checkOneOf } from "../../checks/field-errors.js";
import type { PodRules } from "../pod-rules.js";
import { checkMergedLabelKeys, checkSeparateLabelKeys } from "./label-keys.js";

type Constraint = DeepReadonly<TopologySpreadConstraint>;

const checkPositive = (value: number, path: FieldPath): FieldError[] =>
  value > 0 ? [] : [invalid(path, value, "must be greater than zero")];

export function checkTopologySpread(
  constraints: readonly Constraint[],
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  return constraints.flatMap((constraint, i) =>
    checkConstraint(constraint, path.index(i), { later: constraints.slice(i + 1), rules }),
  );
}

function checkConstraint(
  constraint: Constraint,
  path: FieldPath,
  { later, rules }: { later: readonly Constraint[]; rules: PodRules },
): FieldError[] {
  const { maxSkew, topologyKey, whenUnsatisfiable, minDomains, nodeAffinityPolicy, nodeTaintsPolicy, labelSelector } =
    constraint;
  const errors = checkPositive(maxSkew, path.child("maxSkew"));
  if (topologyKey === "") errors.push(required(path.child("topologyKey"), "can not be empty"));
  append(errors, checkOneOf(whenUnsatisfiable, ["DoNotSchedule", "ScheduleAnyway"], path.child("whenUnsatisfiable")));
  if (later.some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable)) {
    errors.push(duplicate(path.child("{topologyKey, whenUnsatisfiable}"), `{${topologyKey}, ${whenUnsatisfiable}}`));
  }
  if (minDomains !== undefined) {
    append(errors, checkPositive(minDomains, path.child("minDomains")));
    if (whenUnsatisfiable !== "DoNotSchedule") {
      errors.push(
        invalid(
          path.child("minDomains"),
          minDomains,
          `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`,
        ),
      );
    }
  }
  if (nodeAffinityPolicy !== undefined)
    append(errors, checkOneOf(nodeAffinityPolicy, ["Honor", "Ignore"], path.child("nodeAffinityPolicy")));
  if (nodeTaintsPolicy !== undefined)
    append(errors, checkOneOf(nodeTaintsPolicy, ["Honor", "Ignore"], path.child("nodeTaintsPolicy")));
  append(
    errors,
    rules.matchLabelKeysInSpread === "merged"
      ? checkMergedLabelKeys(constraint, path)
      : checkSeparateLabelKeys(constraint, path.child("matchLabelKeys")),
  );
  if (!rules.invalidSpreadSelectors) append(errors, validateLabelSelector(labelSelector, path.child("labelSelector")));
  return errors;
}
