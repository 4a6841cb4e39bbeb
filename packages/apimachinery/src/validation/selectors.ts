import { append } from "../append/index.js";
import { type FieldError, type FieldPath, forbidden, invalid, namedText, required } from "../field/index.js";
import { checkLabelValue } from "./labels.js";
import { validateLabelName, validateLabels } from "./object-meta.js";

interface SelectorFields {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?: readonly ExpressionFields[] | undefined;
}

interface ExpressionFields {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface LabelSelectorRules {
  /** Only for objects that already hold such values. */
  readonly allowInvalidValues?: boolean;
  /** For reviews of access, which look further. */
  readonly allowUnknownOperators?: boolean;
}

/** A LabelSelector in a field; none at all is fine here. */
export function validateLabelSelector(
  selector: SelectorFields | null | undefined,
  path: FieldPath | undefined,
  rules: LabelSelectorRules = {},
): FieldError[] {
  if (selector === undefined || selector === null) return [];
  const at = path?.child("matchExpressions");
  return [
    ...validateLabels(selector.matchLabels, path?.child("matchLabels")),
    ...(selector.matchExpressions ?? []).flatMap((expression, i) =>
      validateLabelSelectorRequirement(expression, at?.index(i), rules),
    ),
  ];
}

export function validateLabelSelectorRequirement(
  expression: ExpressionFields,
  path: FieldPath | undefined,
  rules: LabelSelectorRules = {},
): FieldError[] {
  const { key, operator, values = [] } = expression;
  const errors = validateOperator(operator, values, path, rules.allowUnknownOperators === true);
  append(errors, validateLabelName(key, path?.child("key")));
  if (rules.allowInvalidValues === true) return errors;
  for (const [i, value] of values.entries()) {
    append(
      errors,
      checkLabelValue(value).map((problem) => invalid(path?.child("values").index(i), value, problem)),
    );
  }
  return errors;
}

/** A requirement of a field selector in a review of access. */
export function validateFieldSelectorRequirement(
  expression: ExpressionFields,
  path: FieldPath | undefined,
  rules: LabelSelectorRules = {},
): FieldError[] {
  const missing = expression.key === "" ? [required(path?.child("key"), "must be specified")] : [];
  return [
    ...missing,
    ...validateOperator(expression.operator, expression.values ?? [], path, rules.allowUnknownOperators === true),
  ];
}

function validateOperator(
  operator: string,
  values: readonly string[],
  path: FieldPath | undefined,
  allowUnknown: boolean,
): FieldError[] {
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length > 0
        ? []
        : [required(path?.child("values"), "must be specified when `operator` is 'In' or 'NotIn'")];
    case "Exists":
    case "DoesNotExist":
      return values.length === 0
        ? []
        : [forbidden(path?.child("values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return allowUnknown
        ? []
        : [invalid(path?.child("operator"), namedText(operator), "not a valid selector operator")];
  }
}
