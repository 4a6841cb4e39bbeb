import { builtInFeatureGates, noTokenSecretsGate } from "@coxswain/api/feature-gates";
import { createFeatureGates } from "@coxswain/component/feature-gates";
import { formatHelp, parseOnlyFlags } from "@coxswain/component/flags";
import { createQueueMetrics } from "@coxswain/component/metrics";
import { allControllers, ownControllers, startControllers } from "@coxswain/controllers";
import { systemRuntime } from "@coxswain/runtime";
import { flagTexts } from "../command/flag-texts.js";
import { runComponent } from "../component/run-component.js";
import { controllerManagerFlags } from "./controller-manager-flags.js";
import { settingsFrom } from "./settings-from-flags.js";

export async function runControllerManager(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(controllerManagerFlags, args);
  if (parsed.kind === "help") {
    process.stdout.write(
      formatHelp(controllerManagerFlags, {
        usage: "coxswain controller-manager [flags]",
        description: "Runs the controllers of kube-controller-manager against the cluster of a kubeconfig.",
      }),
    );
    return 0;
  }
  const { options, given } = parsed;
  const settings = settingsFrom(options, given);
  const gates = createFeatureGates([...builtInFeatureGates, noTokenSecretsGate], options.featureGates);
  return runComponent({
    name: "kube-controller-manager",
    options,
    flags: () => flagTexts(controllerManagerFlags, options),
    configz: () => ({ "kubecontrollermanager.config.k8s.io": { controllers: options.controllers, ...settings } }),
    start: ({ connection, metrics, log, activity }) =>
      startControllers({
        // Upstream has none of ours: they run where they are named.
        all: [...allControllers, ...ownControllers.map((one) => ({ ...one, isOnByDefault: false }))],
        controllers: options.controllers,
        gates,
        settings,
        runtime: systemRuntime({ log, metrics, activity }),
        queueMetrics: createQueueMetrics(metrics),
        clientFor: (account) =>
          account === undefined || !options.useServiceAccountCredentials
            ? connection.client
            : connection.asServiceAccount(account),
      }),
  });
}
