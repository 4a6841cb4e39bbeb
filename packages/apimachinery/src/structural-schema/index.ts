export { readStructural, type Structural } from "./structural.js";
export { nodeFromStructural, nodeFromStructuralSchema, type NodeOptions } from "./node-from-schema.js";
export { type Pruned, pruneUnknown } from "./prune.js";
export { applyDefaults, dropNulls } from "./default.js";
export { pruneDefaults } from "./prune-defaults.js";
export { coerceEmbedded, type Coerced, type CoerceOptions } from "./coerce-embedded.js";
export { validateEmbedded, type ValidateEmbeddedOptions } from "./validate-embedded.js";
export { validateListTypes } from "./list-types.js";
