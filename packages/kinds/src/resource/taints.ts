import type { DeepReadonly } from "@coxswain/api";
import type { DeviceTaint, DeviceToleration } from "@coxswain/api/resource/v1";
import { type FieldError, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { checkLabelValue, validateLabelName } from "@coxswain/apimachinery/validation";
import { checkOneOf, checkRequiredOneOf, problemsAt } from "../checks/field-errors.js";

const effects = ["NoExecute", "NoSchedule", "None"];

export function checkTaint({ key, value = "", effect }: DeepReadonly<DeviceTaint>, path: FieldPath): FieldError[] {
  return [
    ...validateLabelName(key, path.child("key")),
    ...(value === "" ? [] : problemsAt(path.child("value"), value, checkLabelValue(value))),
    ...checkRequiredOneOf(effect, effects, path.child("effect")),
  ];
}

export function checkToleration(
  { key, operator, value = "", effect }: DeepReadonly<DeviceToleration>,
  path: FieldPath,
): FieldError[] {
  return [
    ...(key ? validateLabelName(key, path.child("key")) : []),
    ...checkOperator(operator, value, path),
    ...(effect ? checkOneOf(effect, effects, path.child("effect")) : []),
  ];
}

function checkOperator(operator: string | undefined, value: string, path: FieldPath): readonly FieldError[] {
  switch (operator ?? "") {
    case "Exists":
      return value === "" ? [] : [invalid(path.child("value"), value, "must be empty for operator `Exists`")];
    case "Equal":
      return problemsAt(path.child("value"), value, checkLabelValue(value));
    case "":
      return [required(path.child("operator"))];
    default:
      return checkOneOf(operator, ["Equal", "Exists"], path.child("operator"));
  }
}
