export { createManager } from "./create-manager.js";
export type { Clusters } from "./clusters.js";
export type { LeaderElectionOptions, ListenOptions, ManagerOptions, MetricsGuard } from "./manager-options.js";
export type { Manager, Runnable, WebhookHandlers } from "./manager.js";
