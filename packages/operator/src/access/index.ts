export { type Cluster, type ClusterOptions, createCluster, resourceClient } from "./cluster.js";
export { observeWrites, type WriteRules } from "./observe-writes.js";
export { resourceOfPath } from "./resource-of-path.js";
export { type AccessOptions, type ClusterAccess, createClusterAccess, type LiveReads } from "./cluster-access.js";
