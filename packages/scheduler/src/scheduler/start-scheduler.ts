import type { Client } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import { createSchedulerCache } from "../cache/scheduler-cache.js";
import { buildProfile } from "../config/build-profile.js";
import { defaultSchedulerConfig } from "../config/default-config.js";
import type { SchedulerConfig } from "../config/scheduler-config.js";
import { withExtenders } from "../config/with-extenders.js";
import { createHttpExtender, type PostJson } from "../extender/http-extender.js";
import type { PluginFactory } from "../framework/plugin.js";
import type { Profile } from "../framework/profile.js";
import { createWaitingPods } from "../framework/waiting-pods.js";
import type { PluginContext } from "../plugins/plugin-context.js";
import { createRegistry } from "../plugins/registry.js";
import { type Pod, uidOf } from "../pod/objects.js";
import { createQueueingHints } from "../queue/queueing-hints.js";
import { createSchedulingQueue, type SchedulingQueue } from "../queue/scheduling-queue.js";
import { createBackground } from "../schedule/background.js";
import { createBindingPods } from "../schedule/binding-pods.js";
import { runScheduleLoop } from "../schedule/schedule-loop.js";
import type { SchedulerCore } from "../schedule/scheduler-core.js";
import { createSchedulerMetrics } from "../schedule/scheduler-metrics.js";
import { addEventHandlers } from "./event-handlers.js";
import { createSchedulerInformers, type SchedulerInformers } from "./informers.js";
import { createPodEvents } from "./pod-events.js";

export interface StartSchedulerOptions {
  /** In the name of system:kube-scheduler. */
  readonly client: Client;
  readonly gates: { enabled(gate: string): boolean };
  /** @default upstream's default configuration */
  readonly config?: SchedulerConfig;
  /** Plugins of one's own, by the names that the configuration enables them by. @default none */
  plugins?(context: PluginContext): ReadonlyMap<string, PluginFactory>;
  /** How extenders are reached; needed where the configuration has some. */
  readonly post?: PostJson;
  /** The host's name, for events. @default "" */
  readonly hostname?: string;
  readonly runtime: Runtime;
}

export interface RunningScheduler {
  /** Resolves when all caches are filled and scheduling has begun. */
  readonly ready: Promise<void>;
  /** Ends scheduling, waits for the bindings under way. */
  stop(): Promise<void>;
}

/** How long a pod is unschedulable before it is tried again in any case. */
const maxUnschedulableMs = 5 * 60_000;

export function startScheduler(options: StartSchedulerOptions): RunningScheduler {
  const { client, gates, runtime, hostname = "" } = options;
  const { clock, log, activity } = runtime;
  const config = withExtenders(options.config ?? defaultSchedulerConfig(gates));
  const informers = createSchedulerInformers({
    client,
    runtime,
    onError: (error) => log.debug("a cache lost its server and recovers", { error }),
  });
  const { objects } = informers;
  const events = createPodEvents({ client, runtime, hostname });
  const background = createBackground(activity, (error) => log.error("scheduling failed beside its loop", { error }));
  const cache = createSchedulerCache();
  const waitingPods = createWaitingPods(clock);
  const bindingPods = createBindingPods();
  const extenders = config.extenders.map((settings) => createHttpExtender(settings, options.post ?? postNowhere));
  const context: PluginContext = {
    client,
    objects,
    gates,
    runtime,
    onChange: informers.onChange,
    extenders,
    onPreempted: (victims) => metrics.preemption(victims),
    nominatedPods: (nodeName) => queue.nominatedPods(nodeName),
    activate: (pods) => queue.activate(pods),
    event: events.record,
    inBackground: (work) => background.run(work),
    cancelBinding: (pod, plugin) =>
      waitingPods.get(uidOf(pod))?.preempt(plugin, "preempted") ??
      bindingPods.cancel(uidOf(pod), `preempted by ${plugin}`),
  };
  const registry = new Map([...createRegistry(context), ...(options.plugins?.(context) ?? [])]);
  const profiles = new Map(
    config.profiles.map((profile) => [profile.schedulerName, buildProfile(profile, registry)] as const),
  );
  const hints = createQueueingHints(profiles.values(), (error) => log.warn("a queueing hint failed", { error }));
  const metrics = createSchedulerMetrics(runtime.metrics, {
    sizes: () => queue.sizes,
    cacheSizes: () => ({ nodes: cache.nodeCount, pods: cache.podCount, assumed: cache.assumedCount }),
  });
  const currentPod = (key: string): Pod | undefined => objects.pods.get(key);
  const queue: SchedulingQueue = createSchedulingQueue({
    clock,
    hints,
    less: sortOf(profiles),
    preEnqueue: (name) => profiles.get(name)?.plugins.preEnqueue ?? [],
    currentPod,
    ...queueSettings(config, gates),
    onIncoming: metrics.incoming,
  });
  const core: SchedulerCore = {
    client,
    cache,
    queue,
    profiles,
    extenders,
    waitingPods,
    bindingPods,
    metrics,
    percentageOfNodesToScore: config.percentageOfNodesToScore,
    nominateBeforeBinding: gates.enabled("NominatedNodeNameForExpectation"),
    runtime,
    currentPod,
    event: events.record,
    inBackground: (work) => background.run(work),
  };
  addEventHandlers({ core, informers, awaited: hints.resources, log });
  const scheduling = scheduleWhenSynced(core, informers);
  return {
    ready: scheduling.ready,
    async stop() {
      await scheduling.stop();
      await background.stop();
      await events.stop();
      await informers.stop();
    },
  };
}

function scheduleWhenSynced(core: SchedulerCore, informers: SchedulerInformers): RunningScheduler {
  const ending = new AbortController();
  let looping: Promise<void> | undefined;
  informers.start();
  const ready = informers.whenSynced().then(() => {
    looping = runScheduleLoop(core, ending.signal);
  });
  ready.catch(() => {}); // stopped before the caches were filled
  return {
    ready,
    async stop() {
      ending.abort();
      core.queue.stop();
      await looping;
    },
  };
}

const queueSettings = (config: SchedulerConfig, gates: StartSchedulerOptions["gates"]) => ({
  initialBackoffMs: config.podInitialBackoffSeconds * 1000,
  maxBackoffMs: config.podMaxBackoffSeconds * 1000,
  maxUnschedulableMs,
  popFromBackoff: gates.enabled("SchedulerPopFromBackoffQ"),
});

const postNowhere: PostJson = () => Promise.reject(new Error("this scheduler was started without a way to extenders"));

/** All profiles sort alike: validation sees to it. */
function sortOf(profiles: ReadonlyMap<string, Profile>): Parameters<typeof createSchedulingQueue>[0]["less"] {
  const [first] = profiles.values();
  const sort = first?.plugins.queueSort[0];
  if (sort?.less === undefined) throw new Error("at least one profile is required");
  return (a, b) => sort.less?.(a, b) ?? false;
}
