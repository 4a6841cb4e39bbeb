export const topologyMode = "service.kubernetes.io/topology-mode";
export const deprecatedTopologyHints = "service.kubernetes.io/topology-aware-hints";
export const sourceRanges = "service.beta.kubernetes.io/load-balancer-source-ranges";
