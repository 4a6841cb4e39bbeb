export { createNodeTransport, type NodeTransport, type NodeTransportOptions, type TlsMaterial } from "./http/index.js";
export {
  anonymous,
  basicAuth,
  bearerToken,
  combineIdentities,
  fixedIdentity,
  type Identity,
  type IdentitySource,
} from "./auth/identity.js";
