import { compileRegexp } from "@coxswain/apimachinery/regexp";
import { type CallExpr, childrenOf, type Expr } from "../ast/expr.js";
import { type CheckedExpr } from "../checker/checked.js";
import { type Validator } from "../checker/validator.js";
import { type Library } from "../library/library.js";
import { toDurationValue, toTimestampValue } from "../stdlib/convert.js";
import { formatType } from "../types/format-type.js";
import { durationType, isEquivalentType, type Type, timestampType } from "../types/type.js";
import { CelError, type Value } from "../values/value.js";

/** Checks the literal that is the first argument of a function. */
const literalValidator =
  (name: string, isGood: (value: Value) => boolean): Validator =>
  (checked, report) => {
    for (const call of callsOf(checked.expr, name)) {
      const [first] = call.args;
      if (first?.kind === "literal" && !isGood(first.value)) report(first.id, `invalid ${name} argument`);
    }
  };

function callsOf(expr: Expr, name: string, into: CallExpr[] = []): CallExpr[] {
  if (expr.kind === "call" && expr.function === name) into.push(expr);
  for (const child of childrenOf(expr)) callsOf(child, name, into);
  return into;
}

function isPattern(value: Value): boolean {
  try {
    compileRegexp(String(value));
    return true;
  } catch {
    // A RegexpError: upstream reports no more either.
    return false;
  }
}

/** Elements of literals are of one type, `dyn` elements included, except in calls that take mixed ones. */
const homogeneous =
  (exempt: ReadonlySet<string>): Validator =>
  (checked, report) => {
    const visit = (expr: Expr): void => {
      if (expr.kind === "call" && exempt.has(expr.function)) return;
      if (expr.kind === "list") checkList(checked, expr, report);
      for (const child of childrenOf(expr)) visit(child);
    };
    const visitMaps = (expr: Expr): void => {
      if (expr.kind === "call" && exempt.has(expr.function)) return;
      if (expr.kind === "map") checkMap(checked, expr, report);
      for (const child of childrenOf(expr)) visitMaps(child);
    };
    visit(checked.expr);
    visitMaps(checked.expr);
  };

type Report = (id: number, message: string) => void;

const mismatch = (expected: Type, actual: Type): string =>
  `expected type '${formatType(expected)}' but found '${formatType(actual)}'`;

function elementType(checked: CheckedExpr, expr: Expr, isOptional: boolean): Type {
  const type = checked.types.get(expr.id) as Type;
  return isOptional ? (type.parameters[0] ?? type) : type;
}

function checkList(checked: CheckedExpr, list: Expr & { kind: "list" }, report: Report): void {
  let expected: Type | undefined;
  for (const [index, element] of list.elements.entries()) {
    const type = elementType(checked, element, list.optionals.includes(index));
    expected ??= type;
    if (isEquivalentType(expected, type)) continue;
    report(element.id, mismatch(expected, type));
    return;
  }
}

function checkMap(checked: CheckedExpr, map: Expr & { kind: "map" }, report: Report): void {
  let expected: { key: Type; value: Type } | undefined;
  for (const { key, value, optional } of map.entries) {
    const types = { key: elementType(checked, key, false), value: elementType(checked, value, optional) };
    expected ??= types;
    if (!isEquivalentType(expected.key, types.key)) report(key.id, mismatch(expected.key, types.key));
    if (!isEquivalentType(expected.value, types.value)) report(value.id, mismatch(expected.value, types.value));
  }
}

/** What Kubernetes checks of literals while compiling: durations, timestamps, patterns, and lists and maps of one type. */
export const literalValidators: Library = {
  name: "literals",
  validators: [
    literalValidator("duration", (value) => !(toDurationValue(value, durationType) instanceof CelError)),
    literalValidator("timestamp", (value) => !(toTimestampValue(value, timestampType) instanceof CelError)),
    literalValidator("matches", isPattern),
    homogeneous(new Set(["format"])),
  ],
};
