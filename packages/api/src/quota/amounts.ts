import { compareUtf8 } from "@coxswain/apimachinery/json";
import { ownEntries, setOwn } from "@coxswain/apimachinery/own";
import { parseQuantity, type Quantity } from "@coxswain/apimachinery/quantity";

/** How much of each resource. */
export type Amounts = ReadonlyMap<string, Quantity>;

type List = Readonly<Record<string, string>> | undefined;

export const zero = parseQuantity("0");
export const one = parseQuantity("1");

export const readAmounts = (list: List): Map<string, Quantity> =>
  new Map(ownEntries(list).map(([name, text]) => [name, parseQuantity(text)]));

export function writeAmounts(amounts: Amounts): Record<string, string> {
  const list: Record<string, string> = {};
  for (const [name, quantity] of [...amounts].sort(([a], [b]) => compareUtf8(a, b)))
    setOwn(list, name, quantity.toString());
  return list;
}

export function addTo(sum: Map<string, Quantity>, more: Amounts): Map<string, Quantity> {
  for (const [name, quantity] of more) sum.set(name, sum.get(name)?.add(quantity) ?? quantity);
  return sum;
}

/** What is more in `a` than in `b`. What is less frees nothing here: only counting again shows that. */
export function increase(a: Amounts, b: Amounts): Map<string, Quantity> {
  const more = new Map<string, Quantity>();
  for (const [name, quantity] of a) {
    const before = b.get(name);
    const difference = before ? quantity.sub(before) : quantity;
    if (difference.sign > 0) more.set(name, difference);
  }
  return more;
}

export const withoutZeros = (amounts: Amounts): Map<string, Quantity> =>
  new Map([...amounts].filter(([, quantity]) => !quantity.isZero));

export const only = (amounts: Amounts, names: { has(name: string): boolean }): Map<string, Quantity> =>
  new Map([...amounts].filter(([name]) => names.has(name)));

export const equalAmounts = (a: Amounts, b: Amounts): boolean =>
  a.size === b.size && [...a].every(([name, quantity]) => b.get(name)?.compare(quantity) === 0);

/** As refusals show them: sorted, `name=amount` with commas. */
export const printAmounts = (amounts: Amounts): string =>
  [...amounts]
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([name, quantity]) => `${name}=${quantity.toString()}`)
    .join(",");

export const printNames = (names: Iterable<string>): string => [...names].sort(compareUtf8).join(",");
