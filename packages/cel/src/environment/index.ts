export {
  type CostTracker,
  declareFunction,
  type FunctionDeclaration,
  type Overload,
} from "../declarations/function-declaration.js";
export { type Compilation, createEnvironment, type Environment, type EnvironmentOptions } from "./environment.js";
export { type Library } from "../library/library.js";
export { type TypeProvider } from "../declarations/type-provider.js";
