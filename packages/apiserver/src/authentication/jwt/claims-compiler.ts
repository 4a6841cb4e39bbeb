import type { FieldError, FieldPath } from "@coxswain/apimachinery/field";
import { type AccessExpressions, requireExpressions } from "../../configuration/access-expressions.js";
import { compiledOr } from "../../configuration/compiled-expression.js";
import type { ClaimsExpression, UserExpression } from "./jwt-issuer.js";

/** Compiles expressions, and collects what is wrong with them and with all else. */
export interface ClaimsCompiler {
  readonly errors: FieldError[];
  claims(expression: string, returns: "bool" | "any", path: FieldPath): ClaimsExpression | undefined;
  user(expression: string, path: FieldPath): UserExpression | undefined;
}

/** `expressions` may be left out where there are none. */
export function createClaimsCompiler(errors: FieldError[], expressions: AccessExpressions | undefined): ClaimsCompiler {
  return {
    errors,
    claims: (expression, returns, path) =>
      compiledOr(requireExpressions(expressions).compileClaimsExpression(expression, returns), {
        expression,
        path,
        errors,
      }),
    user: (expression, path) =>
      compiledOr(requireExpressions(expressions).compileUserExpression(expression), { expression, path, errors }),
  };
}
