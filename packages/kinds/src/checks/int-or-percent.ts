import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import { type IntOrString, intValue } from "@coxswain/apimachinery/int-or-string";
import { checkPercent, validateNonnegative } from "@coxswain/apimachinery/validation";

/** A count of at least 0, or a share ("25%"). */
export const checkIntOrPercent = (value: IntOrString, path: FieldPath): FieldError[] =>
  typeof value === "number"
    ? validateNonnegative(value, path)
    : checkPercent(value).map((problem) => invalid(path, value, problem));

export const checkAtMostAll = (value: IntOrString, path: FieldPath): FieldError[] =>
  (percentOf(value) ?? 0) > 100 ? [invalid(path, value, "must not be greater than 100%")] : [];

/** The number, be it a count or a share. */
export const countOrPercent = (value: IntOrString): number => percentOf(value) ?? intValue(value);

const percentOf = (value: IntOrString): number | undefined =>
  typeof value === "string" && checkPercent(value).length === 0 ? Number(value.slice(0, -1)) : undefined;
