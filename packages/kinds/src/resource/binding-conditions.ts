import { duplicate, type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import { asGiven } from "@coxswain/apimachinery/json";
import { validateLabelName } from "@coxswain/apimachinery/validation";
import { repeatedPositions } from "../checks/repeated-positions.js";
import { checkBoundedList } from "./bounded-list.js";

const most = 4;

interface Conditions {
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
}

/** Conditions that must hold before a pod is bound, and conditions of failure: both or neither. */
export function checkBindingConditions(conditions: Conditions, path: FieldPath): FieldError[] {
  const { bindingConditions: good = [], bindingFailureConditions: bad = [] } = conditions;
  const [goodPath, badPath] = [path.child("bindingConditions"), path.child("bindingFailureConditions")];
  const errors = [
    ...checkBoundedList(good, most, goodPath, validateLabelName),
    ...checkBoundedList(bad, most, badPath, validateLabelName),
  ];
  for (const at of repeatedPositions(good)) errors.push(duplicate(goodPath.index(at), good[at]));
  const repeated = repeatedPositions(bad);
  const wanted = new Set(good);
  for (const [at, one] of bad.entries()) {
    if (repeated.has(at)) errors.push(duplicate(badPath.index(at), one));
    if (wanted.has(one))
      errors.push(invalid(badPath.index(at), one, "bindingFailureConditions must not overlap with bindingConditions"));
  }
  if (good.length === 0 && bad.length > 0)
    errors.push(
      invalid(
        goodPath,
        asGiven(conditions, "bindingConditions", []),
        "bindingConditions are required to use bindingFailureConditions",
      ),
    );
  if (bad.length === 0 && good.length > 0)
    errors.push(
      invalid(
        badPath,
        asGiven(conditions, "bindingFailureConditions", []),
        "bindingFailureConditions are required to use bindingConditions",
      ),
    );
  return errors;
}
