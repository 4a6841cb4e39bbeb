import { mergePlugins } from "./default-plugins.js";
import { defaultPluginArgs } from "./plugin-args.js";
import type { ProfileConfig, SchedulerConfig } from "./scheduler-config.js";

interface Gates {
  enabled(gate: string): boolean;
}

/** What a scheduler without a configuration file has. */
export function defaultSchedulerConfig(gates: Gates): SchedulerConfig {
  return {
    profiles: [defaultProfile(gates)],
    extenders: [],
    parallelism: 16,
    percentageOfNodesToScore: 0,
    podInitialBackoffSeconds: 1,
    podMaxBackoffSeconds: 10,
    leaderElection: {
      leaderElect: true,
      leaseDurationMs: 15_000,
      renewDeadlineMs: 10_000,
      retryPeriodMs: 2_000,
      resourceLock: "leases",
      resourceName: "kube-scheduler",
      resourceNamespace: "kube-system",
    },
    clientConnection: {
      kubeconfig: "",
      acceptContentTypes: "",
      contentType: "application/vnd.kubernetes.protobuf",
      qps: 50,
      burst: 100,
    },
    enableProfiling: true,
    enableContentionProfiling: true,
    delayCacheUntilActive: false,
  };
}

const defaultProfile = (gates: Gates): ProfileConfig => {
  const plugins = mergePlugins({}, gates);
  return { schedulerName: "default-scheduler", plugins, pluginConfig: defaultPluginArgs(plugins, gates) };
};
