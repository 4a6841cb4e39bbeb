import { type FieldError, type FieldPath, internalError, invalid } from "@coxswain/apimachinery/field";
import type { AccessCompilation, AccessExpression } from "@coxswain/cel/access";

/** The compiled expression; where it does not compile, undefined and one more error. */
export function compiledOr<Input>(
  { compiled, error }: AccessCompilation<Input>,
  at: { readonly expression: string; readonly path: FieldPath; readonly errors: FieldError[] },
): AccessExpression<Input> | undefined {
  if (error)
    at.errors.push(
      error.kind === "invalid" ? invalid(at.path, at.expression, error.detail) : internalError(at.path, error.detail),
    );
  return compiled;
}
