import { hostname } from "node:os";
import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import { createFeatureGates } from "@coxswain/component/feature-gates";
import { formatHelp, parseOnlyFlags } from "@coxswain/component/flags";
import { systemRuntime } from "@coxswain/runtime";
import { type SchedulerConfig, startScheduler } from "@coxswain/scheduler";
import { flagTexts } from "../command/flag-texts.js";
import { type ComponentOptions, runComponent } from "../component/run-component.js";
import { postToExtender } from "./post-to-extender.js";
import { readSchedulerConfig } from "./scheduler-config-file.js";
import { schedulerFlags } from "./scheduler-flags.js";

export async function runScheduler(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(schedulerFlags, args);
  if (parsed.kind === "help") {
    process.stdout.write(
      formatHelp(schedulerFlags, {
        usage: "coxswain scheduler [flags]",
        description: "Assigns pods to nodes in the cluster of a kubeconfig.",
      }),
    );
    return 0;
  }
  const { options } = parsed;
  const gates = createFeatureGates(builtInFeatureGates, options.featureGates);
  const config = readSchedulerConfig(options.config, gates);
  return runComponent({
    name: "kube-scheduler",
    options: options.config === undefined ? options : withConfig(options, config),
    flags: () => flagTexts(schedulerFlags, options),
    configz: () => ({ "kubescheduler.config.k8s.io": config }),
    start: ({ connection, metrics, log, activity }) =>
      startScheduler({
        client: connection.client,
        gates,
        config,
        hostname: hostname(),
        runtime: systemRuntime({ log, metrics, activity }),
        post: postToExtender,
      }),
  });
}

/** As upstream (cmd/kube-scheduler/app/options/options.go, ApplyTo): with a configuration file, the flags for what it contains have no effect. */
function withConfig(
  options: ComponentOptions,
  { leaderElection, clientConnection }: SchedulerConfig,
): ComponentOptions {
  return {
    ...options,
    leaderElect: leaderElection.leaderElect,
    leaderElectLeaseDuration: leaderElection.leaseDurationMs,
    leaderElectRenewDeadline: leaderElection.renewDeadlineMs,
    leaderElectRetryPeriod: leaderElection.retryPeriodMs,
    leaderElectResourceName: leaderElection.resourceName,
    leaderElectResourceNamespace: leaderElection.resourceNamespace,
    ...(clientConnection.kubeconfig !== "" && { kubeconfig: clientConnection.kubeconfig }),
  };
}
