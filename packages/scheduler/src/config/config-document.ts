import type { ExtenderSettings } from "../extender/http-extender.js";

/** KubeSchedulerConfiguration as it is written, before its defaults. */
export interface ConfigDocument {
  readonly parallelism?: number;
  readonly leaderElection?: {
    readonly leaderElect?: boolean;
    readonly leaseDuration?: string;
    readonly renewDeadline?: string;
    readonly retryPeriod?: string;
    readonly resourceLock?: string;
    readonly resourceName?: string;
    readonly resourceNamespace?: string;
  };
  readonly clientConnection?: {
    readonly kubeconfig?: string;
    readonly acceptContentTypes?: string;
    readonly contentType?: string;
    readonly qps?: number;
    readonly burst?: number;
  };
  readonly enableProfiling?: boolean;
  readonly enableContentionProfiling?: boolean;
  readonly percentageOfNodesToScore?: number;
  readonly podInitialBackoffSeconds?: number;
  readonly podMaxBackoffSeconds?: number;
  readonly profiles?: readonly ProfileDocument[];
  readonly extenders?: readonly (Omit<ExtenderSettings, "httpTimeoutMs"> & { readonly httpTimeout?: string })[];
  readonly delayCacheUntilActive?: boolean;
}

export interface ProfileDocument {
  readonly schedulerName?: string;
  readonly percentageOfNodesToScore?: number;
  readonly plugins?: Readonly<Record<string, PluginSetDocument>>;
  readonly pluginConfig?: readonly { readonly name: string; readonly args?: Readonly<Record<string, unknown>> }[];
}

export interface PluginSetDocument {
  readonly enabled?: readonly { readonly name: string; readonly weight?: number }[];
  readonly disabled?: readonly { readonly name: string }[];
}
