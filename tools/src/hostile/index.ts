export {
  type HostileDefinition,
  hostileDefinition,
  hostileDefinitions,
} from "./attacks/definitions.js";
export { hostileObjects, type Sent } from "./attacks/objects.js";
