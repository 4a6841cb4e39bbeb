import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import { parseQuantity, type Quantity } from "@coxswain/apimachinery/quantity";

const zero = parseQuantity("0");

export const checkQuantity = (amount: Quantity, path: FieldPath): FieldError[] =>
  amount.compare(zero) < 0 ? [invalid(path, amount.toString(), "must be greater than or equal to 0")] : [];

export const checkPositiveQuantity = (amount: Quantity, path: FieldPath): FieldError[] =>
  amount.compare(zero) <= 0 ? [invalid(path, amount.toString(), "must be greater than zero")] : [];
