import { childOf, type FieldError, type FieldPath, fieldErrorsText, invalid, notSupported } from "../field/index.js";
import { parseInt64 } from "../int-or-string/int64.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { checkLabelKey, checkLabelValue } from "../validation/labels.js";
import { SelectorError } from "./selector-error.js";

export type LabelOperator = "in" | "notin" | "=" | "==" | "!=" | "gt" | "lt" | "exists" | "!";

/** One condition on one label. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

export const labelOperators: readonly LabelOperator[] = ["in", "notin", "=", "==", "!=", "gt", "lt", "exists", "!"];

/**
 * A requirement whose key, operator and values belong together.
 * @throws SelectorError naming everything that is wrong with it
 */
export function createRequirement(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
  path?: FieldPath,
): LabelRequirement {
  const errors = checkRequirement(key, operator, values, path);
  const text = fieldErrorsText(errors);
  if (text !== undefined) throw new SelectorError(text);
  return { key, operator, values };
}

function checkRequirement(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
  path: FieldPath | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  const wrongKey = checkKeyAt(key, childOf(path, "key"));
  if (wrongKey) errors.push(wrongKey);
  const valuesPath = childOf(path, "values");
  // An empty list that reaches this is a nil list upstream, and a nil list prints as null.
  const wrongCount = countProblem(operator, values.length);
  if (wrongCount !== undefined) errors.push(invalid(valuesPath, values.length === 0 ? null : values, wrongCount));
  if (operator === "gt" || operator === "lt") {
    for (const [i, value] of values.entries()) {
      if (parseInt64(value) === undefined) {
        errors.push(invalid(valuesPath.index(i), value, "for 'Gt', 'Lt' operators, the value must be an integer"));
      }
    }
  }
  if (!labelOperators.includes(operator))
    errors.push(notSupported(childOf(path, "operator"), operator, labelOperators));
  for (const [i, value] of values.entries()) {
    const wrong = checkLabelValue(value);
    if (wrong.length > 0) errors.push(invalid(valuesPath.index(i).key(key), value, wrong.join("; ")));
  }
  return errors;
}

export function checkKeyAt(key: string, path: FieldPath | undefined): FieldError | undefined {
  const wrong = checkLabelKey(key);
  return wrong.length === 0 ? undefined : invalid(path, key, wrong.join("; "));
}

function countProblem(operator: LabelOperator, count: number): string | undefined {
  switch (operator) {
    case "in":
    case "notin":
      return count === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined;
    case "=":
    case "==":
    case "!=":
      return count === 1 ? undefined : "exact-match compatibility requires one single value";
    case "exists":
    case "!":
      return count === 0 ? undefined : "values set must be empty for exists and does not exist";
    case "gt":
    case "lt":
      return count === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
  }
}

/** As a user would write it; the values of a set in order. */
export function requirementText({ key, operator, values }: LabelRequirement): string {
  const joined = values.length === 1 ? (values[0] ?? "") : [...values].sort(compareUtf8).join(",");
  switch (operator) {
    case "!":
      return `!${key}`;
    case "exists":
      return key;
    case "in":
    case "notin":
      return `${key} ${operator} (${joined})`;
    case "gt":
      return `${key}>${joined}`;
    case "lt":
      return `${key}<${joined}`;
    case "=":
    case "==":
    case "!=":
      return `${key}${operator}${joined}`;
  }
}
