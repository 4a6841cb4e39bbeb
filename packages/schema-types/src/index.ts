// Schemas and definitions from TypeScript types.
export type { CustomResource, EmbeddedResource, Int32, Int64, Integer, KubernetesObject } from "./api-types.js";
export { generateDefinitions, type GeneratedDefinitions } from "./generate-definitions.js";
export { lineAndColumn, SourceError, type SourcePlace, type SourceText } from "./syntax/source-place.js";
export type { ReadSource } from "./shapes/module-loader.js";

// For tools that read other markers, or go the other way.
export { type CustomKind, markersNamed, type ResourceNames } from "./definitions/custom-kind.js";
export { pluralOf } from "./definitions/plural.js";
export { readArguments, splitList } from "./markers/marker-arguments.js";
export { type Doc, type Marker, markerError, readDoc } from "./markers/read-doc.js";
export { scalarSchemas } from "./shapes/built-in-names.js";
export { parseComments, parseModule } from "./syntax/parse-module.js";
export type { TypeModule } from "./syntax/type-node.js";
