import type { DeepReadonly } from "@coxswain/api";
import type { Variable } from "@coxswain/api/admissionregistration/v1";
import type { AdmissionCompiler, CompiledExpression, ExpressionUse, PolicyCompiler } from "@coxswain/cel/admission";
import type { Steps } from "@coxswain/runtime/steps";

/** Compiles the other expressions of a policy, which see its variables. */
export interface StoredPolicyCompiler {
  readonly compiler: PolicyCompiler;
  compile(use: ExpressionUse, expression: string): Steps<CompiledExpression>;
  compileAll(use: ExpressionUse, expressions: readonly string[]): Steps<CompiledExpression[]>;
}

/** The variables of a policy that is stored. Each expression is a step: a policy may have hundreds of long ones. */
export function* compileVariables(
  compilers: AdmissionCompiler,
  variables: readonly DeepReadonly<Variable>[],
  { hasParams }: { readonly hasParams: boolean },
): Steps<StoredPolicyCompiler> {
  const compiler = compilers.forPolicy();
  const options = { params: hasParams, isStored: true };
  for (const { name, expression } of variables) {
    compiler.addVariable(name, expression, options);
    yield compilers.microsFor(expression);
  }
  function* compile(use: ExpressionUse, expression: string): Steps<CompiledExpression> {
    const compiled = compiler.compile(use, expression, options);
    yield compilers.microsFor(expression);
    return compiled;
  }
  return {
    compiler,
    compile,
    *compileAll(use, expressions) {
      const all: CompiledExpression[] = [];
      for (const expression of expressions) all.push(yield* compile(use, expression));
      return all;
    },
  };
}
