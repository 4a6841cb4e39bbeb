export { type GatewayOptions, type RunningGateway, startGateway } from "./start-gateway.js";
export type { GatewayAddresses } from "./controller/plan-addresses.js";
export { type BackendNetwork, socketsOnly } from "./engine/backend-network.js";
export { controllerName } from "./objects/gateway-objects.js";
// For those who build on the model.
export {
  buildRouteTable,
  type FoundRule,
  type RouteEntry,
  type RouteRequest,
  type RouteTable,
} from "./routing/route-table.js";
