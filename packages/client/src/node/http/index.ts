export {
  createNodeTransport,
  type DedicatedConnection,
  type NodeTransport,
  type NodeTransportOptions,
} from "./node-transport.js";
export type { TlsMaterial } from "./tls-material.js";
export { parseServer, type ServerAddress } from "./server-address.js";
