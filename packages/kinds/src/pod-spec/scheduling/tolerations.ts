import type { DeepReadonly } from "@coxswain/api";
import type { Toleration } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  type FieldPath,
  invalid,
  namedText,
  notSupported,
  quoteGo,
} from "@coxswain/apimachinery/field";
import { checkDecimalInteger, checkLabelValue, validateLabelName } from "@coxswain/apimachinery/validation";
import { checkOneOf, problemsAt } from "../../checks/field-errors.js";
import type { PodRules } from "../pod-rules.js";

type Rules = Pick<PodRules, "comparingTolerations">;

export const checkTolerations = (
  tolerations: readonly DeepReadonly<Toleration>[],
  path: FieldPath,
  rules: Rules,
): FieldError[] => tolerations.flatMap((toleration, i) => checkToleration(toleration, path.index(i), rules));

function checkToleration(toleration: DeepReadonly<Toleration>, path: FieldPath, rules: Rules): FieldError[] {
  const { key = "", operator = "", effect = "", tolerationSeconds } = toleration;
  const errors = key === "" ? [] : validateLabelName(key, path.child("key"));
  if (key === "" && operator !== "Exists") {
    errors.push(
      invalid(
        path.child("operator"),
        namedText(operator),
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ),
    );
  }
  if (tolerationSeconds !== undefined && effect !== "NoExecute") {
    errors.push(
      invalid(path.child("effect"), namedText(effect), "effect must be 'NoExecute' when `tolerationSeconds` is set"),
    );
  }
  append(errors, checkValue(toleration, path, rules));
  if (effect !== "")
    append(errors, checkOneOf(effect, ["NoSchedule", "PreferNoSchedule", "NoExecute"], path.child("effect")));
  return errors;
}

function checkValue(
  { operator = "Equal", value = "" }: DeepReadonly<Toleration>,
  path: FieldPath,
  rules: Rules,
): readonly FieldError[] {
  if (operator === "Equal") {
    const problems = checkLabelValue(value);
    return problems.length === 0 ? [] : [invalid(path.child("operator"), value, problems.join(";"))];
  }
  if (operator === "Exists")
    return value === ""
      ? []
      : [invalid(path.child("operator"), value, "value must be empty when `operator` is 'Exists'")];
  if (operator !== "Lt" && operator !== "Gt") return checkOneOf(operator, ["Equal", "Exists"], path.child("operator"));
  if (!rules.comparingTolerations)
    return [notSupported(path.child("operator"), namedText(operator), ["Equal", "Exists", "Lt", "Gt"])];
  return [
    ...problemsAt(path.child("value"), value, checkDecimalInteger(value)),
    ...checkInt64(value, path.child("value")),
  ];
}

/** The error of Go's strconv.ParseInt. */
function checkInt64(value: string, path: FieldPath): FieldError[] {
  const fail = (why: string): FieldError[] => [
    invalid(path, value, `strconv.ParseInt: parsing ${quoteGo(value)}: ${why}`),
  ];
  if (!/^[+-]?[0-9]+$/.test(value)) return fail("invalid syntax");
  return BigInt.asIntN(64, BigInt(value.replace(/^\+/, ""))) === BigInt(value.replace(/^\+/, ""))
    ? []
    : fail("value out of range");
}
