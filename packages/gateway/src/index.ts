export { type GatewayOptions, type RunningGateway, startGateway } from "./start-gateway.js";
export { ensureGatewayClass } from "./controller/ensure-gateway-class.js";
export { applyDefinitions } from "./controller/apply-definitions.js";
export type { GatewayAddresses } from "./controller/plan-addresses.js";
export { type BackendNetwork, socketsOnly } from "./engine/backend-network.js";
export { controllerName } from "./objects/gateway-objects.js";
export { type Translation, type TranslateOptions, translateIngresses } from "./translate/translate-ingresses.js";
// For those who build on the model, or serve ports of their own.
export { type BuiltInEngine, createBuiltInEngine } from "./data-plane/built-in-engine.js";
export type * from "./engine/backend.js";
export type * from "./engine/engine.js";
export { noChanges, type RoutedBackend, type RoutedRule } from "./engine/routed-rule.js";
export {
  buildRouteTable,
  type FoundRule,
  type RouteEntry,
  type RouteRequest,
  type RouteTable,
} from "./routing/route-table.js";
