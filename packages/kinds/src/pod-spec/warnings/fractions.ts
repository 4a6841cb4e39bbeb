import { type FieldPath, quoteGo } from "@coxswain/apimachinery/field";
import { parseQuantity } from "@coxswain/apimachinery/quantity";

/** Half a byte cannot be had. */
export function fractionalWarning(amount: string | undefined, path: FieldPath): string[] {
  // Whole digits and powers of 1024 make up nearly all amounts.
  if (
    amount === undefined ||
    /^\d+[KMGTPE]?i?$/.test(amount) ||
    BigInt(parseQuantity(amount).milliValue()) % 1000n === 0n
  )
    return [];
  return [`${path}: fractional byte value ${quoteGo(amount)} is invalid, must be an integer`];
}
