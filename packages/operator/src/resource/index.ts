export {
  defineResource,
  type ObjectOf,
  type ResourceDefinition,
  type ResourceFacts,
  resourceName,
} from "./resource-definition.js";
export { builtIn, type BuiltInResources } from "./built-in.js";
export { nameOf, namespaceFor, type ObjectName, storeKey } from "./object-name.js";
