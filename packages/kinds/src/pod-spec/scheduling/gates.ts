import type { DeepReadonly } from "@coxswain/api";
import type { PodReadinessGate, PodSchedulingGate, PodSchedulingGroup } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { duplicate, type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import { nameIsDnsSubdomain } from "@coxswain/apimachinery/validation";
import { checkQualifiedNameAt, problemsAt } from "../../checks/field-errors.js";

export const checkReadinessGates = (gates: readonly DeepReadonly<PodReadinessGate>[], path: FieldPath): FieldError[] =>
  gates.flatMap(({ conditionType }, i) => checkQualifiedNameAt(conditionType, path.index(i).child("conditionType")));

export function checkSchedulingGates(gates: readonly DeepReadonly<PodSchedulingGate>[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { name }] of gates.entries()) {
    append(errors, checkQualifiedNameAt(name, path.index(i)));
    if (seen.has(name)) errors.push(duplicate(path.index(i), name));
    seen.add(name);
  }
  return errors;
}

export const checkSchedulingGroup = (
  { podGroupName }: DeepReadonly<PodSchedulingGroup>,
  path: FieldPath,
): readonly FieldError[] =>
  podGroupName === undefined
    ? [invalid(path.child("podGroupName"), null, "must specify one of: `podGroupName`")]
    : problemsAt(path.child("podGroupName"), podGroupName, nameIsDnsSubdomain(podGroupName));
