import { kubernetesRelease } from "@coxswain/api/release";
import type { FeatureGates } from "@coxswain/component/feature-gates";
import { createQueueMetrics } from "@coxswain/component/metrics";
import { allControllers, type ControllerSettings, ownControllers, startControllers } from "@coxswain/controllers";
import { childRuntime, type Runtime } from "@coxswain/runtime";
import { type PostJson, type SchedulerConfig, startScheduler } from "@coxswain/scheduler";
import type { ComponentClients } from "./users/component-clients.js";
import { controllerManagerUser, schedulerUser, serviceAccountUser } from "./users/component-users.js";

export interface ControlOptions {
  readonly runtime: Runtime;
  readonly clientOf: ComponentClients;
  /** `--controllers`; an empty list: none. @default ["*"] */
  readonly controllers?: readonly string[];
  readonly controllerSettings?: ControllerSettings;
  /** @default upstream's default configuration; false: no scheduler */
  readonly scheduler?: SchedulerConfig | false;
  /** How the scheduler reaches extenders; needed where its configuration has some. */
  readonly postToExtender?: PostJson;
  /** One value for all components, made by `clusterFeatureGates`. */
  readonly featureGates: FeatureGates;
}

export interface RunningControl {
  /** Names of the controllers that run. */
  readonly controllers: readonly string[];
  /** Resolves when all of them work. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

/** Runs the controllers and the scheduler in this process, each under its own name, wherever the API server is. */
export function startControl(options: ControlOptions): RunningControl {
  const { clientOf, runtime, featureGates: gates } = options;
  const agent = (component: string): string => `${component}/${kubernetesRelease.gitVersion}`;
  const controllers = startControllers({
    all: [...allControllers, ...ownControllers],
    controllers: options.controllers ?? ["*"],
    // There is one API server, so nobody has to wait until others have seen a deletion.
    settings: { namespaceDeletionGraceMs: 0, ...options.controllerSettings },
    gates,
    runtime: childRuntime(runtime, { component: "controller-manager" }),
    queueMetrics: createQueueMetrics(runtime.metrics),
    clientFor: (account) =>
      clientOf(
        account === undefined ? controllerManagerUser : serviceAccountUser(account),
        agent("kube-controller-manager"),
      ),
  });
  const scheduler =
    options.scheduler === false
      ? undefined
      : startScheduler({
          client: clientOf(schedulerUser, agent("kube-scheduler")),
          gates,
          ...(options.scheduler && { config: options.scheduler }),
          ...(options.postToExtender && { post: options.postToExtender }),
          runtime: childRuntime(runtime, { component: "scheduler" }),
        });
  return {
    controllers: controllers.running,
    ready: Promise.all([controllers.ready, scheduler?.ready]).then(() => undefined),
    async stop() {
      await scheduler?.stop();
      await controllers.stop();
    },
  };
}
