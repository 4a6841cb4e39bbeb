export { type Cluster, type ClusterApiServerOptions, type ClusterOptions, startCluster } from "./start-cluster.js";
export { type ComponentsOptions, type RunningComponents, startComponents } from "./start-components.js";
export { simulatedNetwork } from "./simulated-network.js";
export { clusterFeatureGates } from "./cluster-feature-gates.js";
export { createInProcessClients, type InProcessClientsOptions } from "./in-process-clients.js";
export {
  administrator,
  controllerManagerUser,
  nodeUser,
  schedulerUser,
  serviceAccountUser,
  simulatedNodesUser,
} from "./component-users.js";
export {
  metricsServerHost,
  type ResourceMetricsOptions,
  serveResourceMetrics,
} from "./resource-metrics/serve-resource-metrics.js";
