// What a kind is, without the built-in ones.
export type { AnyKind, KindDefinition, KindVersion, ScalePaths, SelectableFields } from "./kind-definition.js";
export { age } from "./age.js";
export { builtInDeprecation, factsOf, noFacts } from "./resource-facts.js";
export { dropAnnotation, numberProblem } from "./number-annotation.js";
