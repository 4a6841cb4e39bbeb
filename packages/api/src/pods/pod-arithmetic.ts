import { parseQuantity, type Quantity } from "@coxswain/apimachinery/quantity";
import type { Arithmetic } from "./pod-resources.js";

/** Exact quantities, which keep the form in which they were written. */
export const quantities: Arithmetic<Quantity> = {
  parse: (_resource, text) => parseQuantity(text),
  add: (a, b) => a.add(b),
  isGreater: (a, b) => a.compare(b) > 0,
  isZero: (amount) => amount.isZero,
};

/** Plain numbers: CPU in thousandths of a core, everything else in whole units; exact, so possibly with a fraction. */
export const amounts: Arithmetic<number> = {
  parse: amountOf,
  add: (a, b) => a + b,
  isGreater: (a, b) => a > b,
  isZero: (amount) => amount === 0,
};

/** One quantity in the unit of its resource. */
export function amountOf(resource: string, text: string): number {
  const quantity = parseQuantity(text);
  const unit = resource === "cpu" ? -3 : 0;
  return quantity.scale >= unit ? Number(quantity.scaledValue(unit)) : quantity.toNumber() * 10 ** -unit;
}
