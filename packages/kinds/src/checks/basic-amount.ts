import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import type { Quantity } from "@coxswain/apimachinery/quantity";

/** An amount of storage, in bytes. */
export const checkBasicAmount = (amount: Quantity, path: FieldPath): FieldError[] =>
  amount.value() < 0 ? [invalid(path, amount.value(), "must be a valid resource quantity")] : [];
