import { getOwn, ownKeys, setOwn } from "@coxswain/apimachinery/own";
import { parseQuantity } from "@coxswain/apimachinery/quantity";

const thousandths = -3;

/** Amounts are never finer than a thousandth: what is finer is rounded up. */
export function roundUpResources(resources: Record<string, string>): void {
  for (const name of ownKeys(resources)) {
    const amount = getOwn(resources, name) ?? "0";
    if (isFine(amount)) setOwn(resources, name, parseQuantity(amount).roundUp(thousandths).toString());
  }
}

/** Canonical text finer than a thousandth ends in n or u, or has a negative exponent. */
const isFine = (amount: string): boolean => amount.endsWith("n") || amount.endsWith("u") || amount.includes("e-");
