import { type Environment } from "../environment/environment.js";
import { ProgramError } from "../interpreter/fold-constants.js";
import { type Program } from "../interpreter/program.js";
import { celLimits } from "../kubernetes/limits.js";
import { declaredTypeName } from "../types/format-type.js";
import { anyType, isExactType, type Type } from "../types/type.js";

/** An expression of an admission policy or webhook, ready to be evaluated; or why it is not. */
export interface CompiledExpression {
  readonly expression: string;
  readonly type?: Type;
  readonly program?: Program;
  readonly error?: ExpressionError;
}

/** In upstream's words. "internal" is no error of the expression. */
export interface ExpressionError {
  readonly kind: "invalid" | "internal";
  readonly detail: string;
}

/** `returns`: the types that the expression may be of; `any` stands for all. */
export function compileExpression(
  environment: Environment,
  expression: string,
  returns: readonly Type[],
): CompiledExpression {
  const failed = (kind: ExpressionError["kind"], detail: string): CompiledExpression => ({
    expression,
    error: { kind, detail },
  });
  const compiled = environment.compile(expression);
  if (!compiled.ok) return failed("invalid", `compilation failed: ${compiled.message}`);
  const { type, checked } = compiled;
  if (!returns.some((wanted) => wanted === anyType || isExactType(type, wanted))) {
    const wanted = returns.map(typeText);
    return failed(
      "invalid",
      `must evaluate to ${wanted.length === 1 ? wanted[0] : `one of [${wanted.join(" ")}]`} but got ${typeText(type)}`,
    );
  }
  try {
    return { expression, type, program: environment.program(checked, { costLimit: celLimits.perCall }) };
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    return failed("internal", `program instantiation failed: ${error.message}`);
  }
}

/** Other than compile errors, messages about the type of a result show `null_type` and the full names of times. */
export function typeText(type: Type): string {
  const name = declaredTypeName(type);
  return type.parameters.length === 0 ? name : `${name}(${type.parameters.map(typeText).join(", ")})`;
}
