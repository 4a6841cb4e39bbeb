export { type CostTracker, declareFunction, type FunctionDeclaration, type Overload } from "./declarations.js";
export { type Compilation, createEnvironment, type Environment, type EnvironmentOptions } from "./environment.js";
export { type Library } from "./library.js";
export { type TypeProvider } from "./type-provider.js";
