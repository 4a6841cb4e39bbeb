import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  namedText,
  notSupported,
  required,
  tooLong,
} from "../field/index.js";
import { utf8Length } from "../text/utf8-order.js";
import { regexMessage } from "./messages.js";
import { validateLabelName } from "./object-meta.js";

/** metav1.Condition. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

const reasonMaxBytes = 1024;
const messageMaxBytes = 32 * 1024;
const reasonForm = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const reasonPattern = new RegExp(`^${reasonForm}$`);
const reasonRule =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";

export function validateConditions(conditions: readonly Condition[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap((condition, i) => {
    const repeated = seen.has(condition.type) ? [duplicate(path.index(i).child("type"), condition.type)] : [];
    seen.add(condition.type);
    return [...repeated, ...validateCondition(condition, path.index(i))];
  });
}

export function validateCondition(condition: Condition, path: FieldPath): FieldError[] {
  const { type, status, observedGeneration = 0, lastTransitionTime, reason = "", message = "" } = condition;
  const errors = validateLabelName(type, path.child("type"));
  if (!["False", "True", "Unknown"].includes(status))
    errors.push(notSupported(path.child("status"), namedText(status), ["False", "True", "Unknown"]));
  if (observedGeneration < 0)
    errors.push(invalid(path.child("observedGeneration"), observedGeneration, "must be greater than or equal to zero"));
  if (!lastTransitionTime) errors.push(required(path.child("lastTransitionTime")));
  if (reason === "") errors.push(required(path.child("reason")));
  else {
    if (!reasonPattern.test(reason)) {
      const rule = regexMessage(
        reasonRule,
        reasonForm,
        "my_name",
        "MY_NAME",
        "MyName",
        "ReasonA,ReasonB",
        "ReasonA:ReasonB",
      );
      errors.push(invalid(path.child("reason"), reason, rule));
    }
    if (utf8Length(reason) > reasonMaxBytes) errors.push(tooLong(path.child("reason"), reasonMaxBytes));
  }
  if (utf8Length(message) > messageMaxBytes) errors.push(tooLong(path.child("message"), messageMaxBytes));
  return errors;
}
