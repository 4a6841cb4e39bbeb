import type { FieldPath } from "@coxswain/apimachinery/field";
import { schemaCostLimit } from "../../../validation-rules/rule-compiler.js";
import type { Schema } from "./schema-walk.js";

/** Estimated costs are unsigned 64-bit integers; what is larger counts as the largest. */
const largest = Number(2n ** 64n - 1n);

export const multiplyCost = (cost: number, times: number): number => Math.min(cost * times, largest);

/** How often values inside a value of this schema occur in it at most; undefined for without limit. */
export function elementsOf(schema: Schema): number | undefined {
  const atLeastNone = (limit: number | undefined): number | undefined => limit && Math.max(limit, 0);
  if (schema.type === "array") return atLeastNone(schema.maxItems);
  const isMap = schema.type === "object" && schema.additionalProperties !== undefined;
  return isMap ? atLeastNone(schema.maxProperties) : 1;
}

/** Only so many of the rules that make a schema too expensive are named. */
const mostNamed = 4;
/** A rule below this share of the limit is not to blame. */
const namedFrom = schemaCostLimit / 100;

/** What all rules of a schema are estimated to cost. */
export class TotalCost {
  total = 0;
  #expensive: { readonly path: FieldPath; readonly cost: number }[] = [];

  add(path: FieldPath, cost: number): void {
    this.total = Math.min(this.total + cost, largest);
    if (cost < namedFrom) return;
    this.#expensive = [...this.#expensive, { path, cost }].sort((a, b) => b.cost - a.cost).slice(0, mostNamed);
  }

  /** The most expensive first. */
  get expensive(): readonly FieldPath[] {
    return this.#expensive.map(({ path }) => path);
  }
}

export const tooExpensive = (what: string, cost: number, limit: number): string =>
  `${what} exceeds budget by factor of ${factorText(cost / limit)} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;

function factorText(factor: number): string {
  if (factor > 100) return "more than 100x";
  return factor < 1.5 ? `${factor.toFixed(6)}x` : `${oneDigit(factor)}x`;
}

/** Go rounds what lies exactly between two digits to the even one. */
function oneDigit(factor: number): string {
  const [whole = "", digits = ""] = factor.toFixed(60).split(".");
  const isTie = /^[0-9]50*$/.test(digits);
  const down = `${whole}.${digits.charAt(0)}`;
  return isTie && Number(digits.charAt(0)) % 2 === 0 ? down : factor.toFixed(1);
}
