export { isList, isObject, type JsonObject } from "../patch/json-value.js";
export { asResourceRoot, readStructural, readStructuralInSteps, schemaMicros, type Structural } from "./structural.js";
export {
  nodeFromStructural,
  nodeFromStructuralSchema,
  type NodeOptions,
  openAPIName,
  typedNodeFromStructural,
  type TypedNodeOptions,
} from "./node-from-schema.js";
export { type Pruned, pruneUnknown } from "./prune.js";
export { applyDefaults, defaultBytes, dropNulls } from "./default.js";
export { pruneDefaults, pruneDefaultsInSteps, type PruneDefaultsOptions } from "./prune-defaults.js";
export { coerceEmbedded, type Coerced, type CoerceOptions } from "./coerce-embedded.js";
export { validateEmbedded, validateEmbeddedInSteps, type ValidateEmbeddedOptions } from "./validate-embedded.js";
export { Correlation } from "./correlation.js";
export { type FindItem, keyedItems } from "./keyed-items.js";
export { validateListTypes, validateListTypesInSteps } from "./list-types.js";
export { isSupportedFormat, readValueSchema, type SchemaReading, type ValueSchema } from "./value-schema.js";
export { type CheckDefaultRules, validateDefaults, type ValidateDefaultsOptions } from "./validate-defaults.js";
export { validateChangeInSteps, validateValue, validateValueInSteps } from "./validate-value.js";
export { matchesTextFormat } from "./text-formats.js";
