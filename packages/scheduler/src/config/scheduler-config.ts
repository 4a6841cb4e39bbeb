import type { ExtenderSettings } from "../extender/http-extender.js";
import type { ExtensionPoint } from "../framework/profile.js";

/** KubeSchedulerConfiguration with all its defaults. */
export interface SchedulerConfig {
  readonly profiles: readonly ProfileConfig[];
  readonly extenders: readonly ExtenderSettings[];
  /** Accepted and without effect: there is one thread. */
  readonly parallelism: number;
  readonly percentageOfNodesToScore: number;
  readonly podInitialBackoffSeconds: number;
  readonly podMaxBackoffSeconds: number;
  readonly leaderElection: LeaderElectionConfig;
  readonly clientConnection: ClientConnectionConfig;
  readonly enableProfiling: boolean;
  readonly enableContentionProfiling: boolean;
  /** Caches are filled only by the leader. */
  readonly delayCacheUntilActive: boolean;
}

export interface ProfileConfig {
  readonly schedulerName: string;
  readonly plugins: PluginSets;
  /** Arguments by plugin name, with their defaults. */
  readonly pluginConfig: ReadonlyMap<string, object>;
  readonly percentageOfNodesToScore?: number;
}

export type PluginSets = Readonly<Record<ExtensionPoint | "multiPoint", PluginSet>>;

export interface PluginSet {
  readonly enabled: readonly EnabledPlugin[];
  /** Names; "*" for all. */
  readonly disabled: readonly string[];
}

export interface EnabledPlugin {
  readonly name: string;
  /** 0: not given. */
  readonly weight: number;
}

export interface LeaderElectionConfig {
  readonly leaderElect: boolean;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  readonly resourceLock: string;
  readonly resourceName: string;
  readonly resourceNamespace: string;
}

export interface ClientConnectionConfig {
  readonly kubeconfig: string;
  readonly acceptContentTypes: string;
  readonly contentType: string;
  readonly qps: number;
  readonly burst: number;
}
