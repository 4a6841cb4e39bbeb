import { type CallExpr, childrenOf, type Expr } from "../ast/expr.js";
import { type CheckedExpr, functionOf } from "../checker/checked.js";
import { type Validator } from "../checker/validator.js";
import { type TypeKind } from "../types/type.js";
import { CelError } from "../values/value.js";
import { eachPart } from "./format.js";
import { type ClauseLetter, clauseErrors } from "./format-clauses.js";

const allowed: Readonly<Record<ClauseLetter, readonly TypeKind[]>> = {
  s: ["list", "map", "int", "uint", "double", "bool", "string", "timestamp", "bytes", "duration", "type", "null"],
  d: ["int", "uint"],
  f: ["double", "string"],
  e: ["double", "string"],
  b: ["int", "uint", "bool"],
  x: ["int", "uint", "string", "bytes"],
  o: ["int", "uint"],
};

/** `"%d".format(["a"])` is an error before evaluation, where both the format and the list are literals. */
export const validateFormatCalls: Validator = (checked, report) => {
  const visit = (expr: Expr): void => {
    if (expr.kind === "call") checkCall(checked, expr, report);
    for (const child of childrenOf(expr)) visit(child);
  };
  visit(checked.expr);
};

function checkCall(checked: CheckedExpr, call: CallExpr, report: (id: number, message: string) => void): void {
  const [list] = call.args;
  const { target } = call;
  if (call.function !== "format" || target?.kind !== "literal" || list?.kind !== "list" || call.args.length !== 1)
    return;
  if (typeof target.value !== "string" || functionOf(checked, call)?.overloads.includes("string_format") !== true)
    return;
  let used = 0;
  const problem = eachPart<{ id: number; message: string }>(target.value, {
    text: () => undefined,
    hasArg: () => used < list.elements.length,
    argIndex: () => used,
    clause: ({ letter }) => {
      const bad = refuse(checked, letter.toLowerCase() as ClauseLetter, list.elements[used++] as Expr);
      return bad && { id: bad.id, message: `error during formatting: ${bad.message}` };
    },
  });
  if (problem instanceof CelError) report(call.id, problem.message);
  else if (problem !== undefined) report(problem.id, problem.message);
  else if (list.elements.length > used)
    report(call.id, `too many arguments supplied to string.format (expected ${used}, got ${list.elements.length})`);
}

/** The part of an argument that a clause cannot format; undefined where all is well. */
function refuse(checked: CheckedExpr, letter: ClauseLetter, arg: Expr): { id: number; message: string } | undefined {
  const type = checked.types.get(arg.id);
  if (type === undefined) return undefined;
  if (type.kind !== "dyn" && !allowed[letter].includes(type.kind))
    return { id: arg.id, message: `${clauseErrors[letter]}${type.name}` };
  if (letter !== "s" || (arg.kind !== "list" && arg.kind !== "map")) return undefined;
  for (const child of childrenOf(arg)) {
    const bad = refuse(checked, "s", child);
    if (bad !== undefined) return bad;
  }
  return undefined;
}
