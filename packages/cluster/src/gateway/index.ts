export { type GatewayServing, serveGateway } from "./serve-gateway.js";
