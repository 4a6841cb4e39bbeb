export {
  type CheckedExpressions,
  type CheckedKind,
  checkExpressionTypes,
  type ExpressionWarning,
  type TypesToCheck,
} from "./check-types.js";
export { type CompiledExpression, type ExpressionError } from "./compile-expression.js";
export {
  type Budget,
  createEvaluator,
  type Evaluator,
  type ExpressionOutcome,
  type Inputs,
  OutOfBudget,
} from "./evaluate.js";
export {
  type AdmissionCompiler,
  type CompileOptions,
  createAdmissionCompiler,
  type ExpressionUse,
  type PolicyCompiler,
} from "./policy-compiler.js";
