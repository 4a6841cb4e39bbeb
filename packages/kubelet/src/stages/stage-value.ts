import { parseDurationMs, parseTimeMs } from "@coxswain/apimachinery/time";
import type { Budget } from "../languages/budget.js";
import { runFilter } from "../languages/jq/evaluate.js";
import type { Filter } from "../languages/jq/syntax.js";
import type { SelectedObject } from "./selected-object.js";
import type { ExpressionFrom } from "./stage-object.js";
import { compileFilter } from "./stage-selector.js";

/** A number that a Stage has, or that an expression reads from the object; undefined: none. @throws OverBudget */
export type StageValue = (object: SelectedObject, now: number, budget: Budget) => number | undefined;

export interface StageValueSource {
  readonly fixed: number | undefined;
  readonly from: ExpressionFrom | undefined;
  fail(problem: string): never;
}

/** Milliseconds: a duration in Go's form, or the time until an instant. */
export function compileDuration(source: StageValueSource): StageValue | undefined {
  return compileValue(source, (value, now) => {
    if (typeof value !== "string") return { kind: "default" };
    if (value === "") return { kind: "none" };
    const at = parseTimeMs(value);
    const ms = at === undefined ? parseDurationMs(value) : at - now;
    return ms === undefined ? { kind: "default" } : { kind: "read", value: ms };
  });
}

/** A whole number, as a number or a text. */
export function compileInteger(source: StageValueSource): StageValue | undefined {
  return compileValue(source, (value) => {
    if (typeof value === "number") return { kind: "read", value: Math.trunc(value) };
    if (typeof value !== "string") return { kind: "default" };
    const read = /^[+-]?(\d+|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/.test(value) ? Number(value) : Number.NaN;
    return Number.isNaN(read) ? { kind: "none" } : { kind: "read", value: read };
  });
}

type Reading = { readonly kind: "read"; readonly value: number } | { readonly kind: "default" | "none" };

function compileValue(
  { fixed, from, fail }: StageValueSource,
  read: (value: unknown, now: number) => Reading,
): StageValue | undefined {
  const filter = from && compileFrom(from, fail);
  if (!filter) return fixed === undefined ? undefined : () => fixed;
  return (object, now, budget) => {
    const [first] = runFilter(filter, object, budget) ?? [];
    const reading: Reading = first === undefined ? { kind: "default" } : read(first, now);
    if (reading.kind === "read") return reading.value;
    return reading.kind === "default" ? fixed : undefined;
  };
}

function compileFrom(from: ExpressionFrom, fail: (problem: string) => never): Filter | undefined {
  const source = from.jq?.expression ?? from.expressionFrom;
  if (source === undefined || source === "")
    return from.cel === undefined ? undefined : fail("expressions of CEL are not supported; use jq");
  return compileFilter(source, fail);
}
