export { connectApi } from "./clusters/api.js";
export { startOurCluster } from "./clusters/our-cluster.js";
export { loadAverage } from "./machine-load.js";
export { type Soak, type SoakOptions, type SoakWork, startSoak } from "./soak/soak.js";
