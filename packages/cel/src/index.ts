export {
  type Compilation,
  createEnvironment,
  type Environment,
  type EnvironmentOptions,
} from "./environment/environment.js";
export { type CheckedExpr } from "./checker/checked.js";
export { type Bindings } from "./interpreter/frame.js";
export { type EvaluateOptions, type Evaluation, type Program, type ProgramOptions } from "./interpreter/program.js";
export { ProgramError } from "./interpreter/fold-constants.js";
export { type Issue } from "./source/issues.js";
export * from "./types/index.js";
export * from "./values/index.js";
// For libraries of functions.
export * from "./cost/index.js";
export { type Validator } from "./checker/validator.js";
export {
  type CostTracker,
  declareFunction,
  type FunctionDeclaration,
  type Overload,
} from "./declarations/function-declaration.js";
export { type Library } from "./library/library.js";
export { type TypeProvider } from "./declarations/type-provider.js";
export { type Macro, type MacroBuilder, MacroError } from "./parser/macro.js";
