import { type FieldError, type FieldPath, internalError, invalid } from "@coxswain/apimachinery/field";
import type { AdmissionCompiler, CompiledExpression, ExpressionUse } from "@coxswain/cel/admission";
import type { Steps } from "@coxswain/runtime/steps";

/** Whether the expressions of an object compile, each in a step of its own. */
export interface ExpressionChecks {
  /** A match condition, which sees no variables of a policy. */
  condition(expression: string, path: FieldPath): Steps<FieldError[]>;
  /** Declares a variable for those that are checked after it. */
  variable(name: string, expression: string, path: FieldPath): Steps<FieldError[]>;
  /** `shown`: the value that an error names. @default the expression */
  expression(use: ExpressionUse, expression: string, path: FieldPath, shown?: string): Steps<FieldError[]>;
}

export interface CheckedPolicy {
  /** Whether it has a paramKind. */
  readonly params: boolean;
  /** Whether `variables` can be named at all. */
  readonly withVariables: boolean;
  /** Expressions of the object that is replaced: they may use what a new one may not use yet. */
  readonly stored: Partial<Readonly<Record<ExpressionUse, ReadonlySet<string>>>>;
}

/** Without a compiler nothing is wrong: who checks objects without a server does not load CEL. */
export function createExpressionChecks(
  compiler: AdmissionCompiler | undefined,
  { params, withVariables, stored }: CheckedPolicy,
): ExpressionChecks {
  if (!compiler) return { condition: nothingWrong, variable: nothingWrong, expression: nothingWrong };
  const policy = withVariables ? compiler.forPolicy() : undefined;
  const optionsFor = (use: ExpressionUse, expression: string) => ({
    params,
    isStored: stored[use]?.has(expression) ?? false,
  });
  return {
    *condition(expression, path) {
      const compiled = compiler.plain.compile("matchCondition", expression, optionsFor("matchCondition", expression));
      yield compiler.microsFor(expression);
      return errorsOf(compiled, path, expression);
    },
    *variable(name, expression, path) {
      if (!policy) return [];
      const compiled = policy.addVariable(name, expression, optionsFor("validation", expression));
      yield compiler.microsFor(expression);
      return errorsOf(compiled, path, expression);
    },
    *expression(use, expression, path, shown = expression) {
      const compiled = (policy ?? compiler.plain).compile(use, expression, optionsFor(use, shown));
      yield compiler.microsFor(expression);
      return errorsOf(compiled, path, shown);
    },
  };
}

function* nothingWrong(): Steps<FieldError[]> {
  yield 0;
  return [];
}

function errorsOf({ error }: CompiledExpression, path: FieldPath, shown: string): FieldError[] {
  if (!error) return [];
  return [error.kind === "invalid" ? invalid(path, shown, error.detail) : internalError(path, error.detail)];
}
