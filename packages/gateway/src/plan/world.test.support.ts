import type { World } from "./world.js";

/** A cluster without anything in it. */
export const emptyWorld: World = {
  classes: [],
  gateways: [],
  listenerSets: [],
  httpRoutes: [],
  grpcRoutes: [],
  tlsRoutes: [],
  tcpRoutes: [],
  udpRoutes: [],
  backendTlsPolicies: [],
  grants: [],
  ingressClasses: [],
  ingresses: [],
  namespace: () => undefined,
  service: () => undefined,
  configMap: () => undefined,
  secret: () => undefined,
  localCertificate: () => undefined,
};
