/** GatewayClass.status.supportedFeatures: what the conformance suite was seen to pass (docs/gateway.md), in the order of their names. */
export const supportedFeatures: readonly string[] = [
  "GRPCRoute",
  "Gateway",
  "HTTPRoute",
  "HTTPRouteCORS",
  "HTTPRouteRequestMirror",
  "ReferenceGrant",
  "TLSRoute",
];
