import { type ExpressionError } from "../admission/compile-expression.js";
import { childrenOf, type Expr } from "../ast/expr.js";
import { operators } from "../ast/operators.js";
import { type CheckedExpr } from "../checker/checked.js";
import { type Environment } from "../environment/environment.js";
import { ProgramError } from "../interpreter/fold-constants.js";
import { celLimits } from "../kubernetes/limits.js";
import { type Type } from "../types/type.js";
import { elementsOf } from "../values/list-value.js";
import { ListValue, type Value } from "../values/value.js";

/** An expression about who somebody is or what they ask for, compiled. */
export interface AccessExpression<Input> {
  readonly expression: string;
  /** Whether it names a member of the variable, `variable.member`. */
  reads(variable: string, member: string): boolean;
  evaluate(input: Input): AccessOutcome;
  /** One text or several, without empty ones; undefined for a value that is neither. */
  evaluateTexts(
    input: Input,
  ):
    | { readonly texts: readonly string[] | undefined; readonly error?: undefined }
    | { readonly texts?: undefined; readonly error: string };
}

/** A value, or why there is none, in upstream's words. */
export type AccessOutcome =
  | { readonly value: Value; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: string };

export type AccessCompilation<Input> =
  | { readonly compiled: AccessExpression<Input>; readonly error?: undefined }
  | { readonly compiled?: undefined; readonly error: ExpressionError };

export interface AccessEnvironment<Input> {
  readonly environment: Environment;
  readonly variable: string;
  toValue(input: Input): Value;
}

/** `refuseType`: what is wrong with the type of an expression; undefined: nothing. */
export function compileAccessExpression<Input>(
  { environment, variable, toValue }: AccessEnvironment<Input>,
  expression: string,
  refuseType: (type: Type) => string | undefined,
): AccessCompilation<Input> {
  const compiled = environment.compile(expression);
  if (!compiled.ok) return { error: { kind: "invalid", detail: `compilation failed: ${compiled.message}` } };
  const refusal = refuseType(compiled.type);
  if (refusal !== undefined) return { error: { kind: "invalid", detail: refusal } };
  try {
    const program = environment.program(compiled.checked, { costLimit: celLimits.perCall });
    const evaluate = (input: Input): AccessOutcome => {
      const outcome = program.evaluate(new Map([[variable, toValue(input)]]));
      return outcome.ok
        ? { value: outcome.value }
        : { error: `expression '${expression}' resulted in error: ${outcome.error.message}` };
    };
    return {
      compiled: {
        expression,
        reads: (name, member) => readsMember(compiled.checked, name, member),
        evaluate,
        evaluateTexts(input) {
          const outcome = evaluate(input);
          return outcome.error === undefined ? { texts: valueToTexts(outcome.value) } : outcome;
        },
      },
    };
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    return { error: { kind: "internal", detail: `program instantiation failed: ${error.message}` } };
  }
}

function readsMember({ expr }: CheckedExpr, variable: string, member: string): boolean {
  const isVariable = (node: Expr | undefined): boolean => node?.kind === "ident" && node.name === variable;
  const reads = (node: Expr): boolean => {
    if (node.kind === "select" && node.field === member && isVariable(node.operand)) return true;
    if (node.kind === "call" && node.function === operators.optSelect && isVariable(node.args[0])) {
      const [, field] = node.args;
      if (field?.kind === "literal" && field.value === member) return true;
    }
    return childrenOf(node).some(reads);
  };
  return reads(expr);
}

function valueToTexts(value: Value): string[] | undefined {
  if (value === null) return [];
  if (typeof value === "string") return value === "" ? [] : [value];
  if (!(value instanceof ListValue)) return undefined;
  const found = [...elementsOf(value)];
  return found.every((one) => typeof one === "string") ? found.filter((one) => one !== "") : undefined;
}
