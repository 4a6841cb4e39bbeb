import { hostname } from "node:os";
import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import { createFeatureGates } from "@coxswain/component/feature-gates";
import { formatHelp, parseFlags } from "@coxswain/component/flags";
import { defaultSchedulerConfig, startScheduler } from "@coxswain/scheduler";
import { runComponent } from "../component/run-component.js";
import { flagTexts } from "../flag-texts.js";
import { schedulerFlags } from "./scheduler-flags.js";

export async function runScheduler(args: readonly string[]): Promise<number> {
  const parsed = parseFlags(schedulerFlags, args);
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
  const config = defaultSchedulerConfig(gates);
  return runComponent({
    name: "kube-scheduler",
    options,
    flags: () => flagTexts(schedulerFlags, options),
    configz: () => ({ "kubescheduler.config.k8s.io": config }),
    start: ({ connection, metrics, log }) =>
      startScheduler({ client: connection.client, gates, config, metrics, hostname: hostname(), log }),
  });
}
