/** GatewayClass.status.supportedFeatures: what the conformance suite passes (docs/gateway-conformance-report.yaml), by name. */
export const supportedFeatures = ["Gateway", "HTTPRoute", "ReferenceGrant"] as const;
