export { type RunningScheduler, startScheduler, type StartSchedulerOptions } from "./scheduler/start-scheduler.js";
export { defaultSchedulerConfig } from "./config/default-config.js";
export { parseSchedulerConfig } from "./config/parse-config.js";
export type {
  ClientConnectionConfig,
  EnabledPlugin,
  LeaderElectionConfig,
  PluginSet,
  PluginSets,
  ProfileConfig,
  SchedulerConfig,
} from "./config/scheduler-config.js";

// For those who write plugins.
export type { Cycle } from "./framework/cycle.js";
export { actions, type ClusterEvent, clusterEvent, type EventResource } from "./framework/cluster-event.js";
export type {
  EventRegistration,
  NodeFilter,
  NodeScorer,
  Plugin,
  PluginFactory,
  PostFilterResult,
  PreFilterResult,
  PreScoreResult,
} from "./framework/plugin.js";
export { skip } from "./framework/plugin.js";
export { errorStatus, pending, type Status, unresolvable, unschedulable } from "./framework/status.js";
export type { PluginContext } from "./plugins/plugin-context.js";
export type { NodeInfo } from "./cache/node-info.js";
export type { PodInfo } from "./pod/pod-info.js";
export type { ExtenderSettings, PostJson } from "./extender/http-extender.js";
