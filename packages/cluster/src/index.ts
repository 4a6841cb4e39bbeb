export { type Cluster, type ClusterApiServerOptions, type ClusterOptions, startCluster } from "./start-cluster.js";
export { type ComponentsOptions, type RunningComponents, startComponents } from "./start-components.js";
export { type ControlOptions, type RunningControl, startControl } from "./start-control.js";
export {
  type RunningSimulatedNodes,
  type SimulatedNodesOptions,
  startSimulatedNodes,
} from "./start-simulated-nodes.js";
export type { ComponentClients } from "./users/component-clients.js";
export { createPartClients, type PartClients, type PartClientsOptions } from "./parts/part-clients.js";
export { drawToken, tokenCheck } from "./parts/part-tokens.js";
export { type PartName, partNames, userOfPart } from "./parts/part-users.js";
export { createRemoteNodes, type RemoteNodesOptions } from "./parts/remote-nodes.js";
export { serveNodes, type ServeNodesOptions } from "./parts/serve-nodes.js";
export { clusterDomain, type ClusterDnsOptions, startClusterDns } from "./cluster-dns.js";
export { addressPoolFrom } from "./load-balancers/address-pool.js";
export { claimRange } from "./load-balancers/claim-range.js";
export {
  type LoadBalancersOptions,
  type RunningLoadBalancers,
  serveLoadBalancers,
} from "./load-balancers/serve-load-balancers.js";
export { type AddressPool, loadBalancerClass } from "./load-balancers/load-balancer-plan.js";
export { followPodNetwork, type PodNetworkOptions } from "./pod-network/follow-pod-network.js";
export { linkWith, parseLinks, tunnelOverhead } from "./pod-network/plan-tunnel.js";
export { followPodRoutes, type PodRoutesOptions, type TunnelOptions } from "./pod-network/follow-pod-routes.js";
export { createMemoryVolumes } from "@coxswain/kubelet";
export { ensureOwnObjects } from "./own-objects.js";
export { simulatedNetwork } from "./simulated-network.js";
export { clusterFeatureGates } from "./cluster-feature-gates.js";
export { createInProcessClients, type InProcessClientsOptions } from "./in-process-clients.js";
export {
  administrator,
  controllerManagerUser,
  dnsUser,
  gatewayUser,
  loadBalancerUser,
  nodeUser,
  schedulerUser,
  serviceAccountUser,
  simulatedNodesUser,
} from "./users/component-users.js";
export { joinUsage } from "./resource-metrics/join-usage.js";
export { type ScrapedUsage, type ScrapedUsageOptions, startScrapedUsage } from "./resource-metrics/scraped-usage.js";
export {
  metricsServerHost,
  type ResourceMetricsOptions,
  serveResourceMetrics,
} from "./resource-metrics/serve-resource-metrics.js";
