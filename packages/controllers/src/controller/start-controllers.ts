import { builtInResources } from "@coxswain/api/resources";
import type { Event } from "@coxswain/api/core/v1";
import { type Activity, type Clock, noActivity, systemClock } from "@coxswain/apimachinery/clock";
import type { GroupVersionResource } from "@coxswain/apimachinery/meta";
import { type RandomSource, systemRandom } from "@coxswain/apimachinery/random";
import type { Client } from "@coxswain/client";
import { createEventBroadcaster, createEventSink } from "@coxswain/client/events";
import { createSharedInformerFactory } from "@coxswain/client/informers";
import type { QueueMetricsProvider } from "@coxswain/client/queue";
import { type Logger, silentLogger } from "@coxswain/component/log";
import { createMetrics, type Metrics } from "@coxswain/component/metrics";
import { chooseControllers } from "./choose-controllers.js";
import type { Controller, ControllerContext, RunningController } from "./controller.js";
import type { ControllerSettings } from "./controller-settings.js";
import { createInformers } from "./informers.js";

export interface StartControllersOptions {
  readonly all: readonly Controller[];
  /** `--controllers`. @default ["*"] */
  readonly controllers?: readonly string[];
  /** The client of a service account in kube-system; undefined: the controller manager's own, which also fills the caches. */
  clientFor(serviceAccount: string | undefined): Client;
  readonly gates: { enabled(gate: string): boolean };
  readonly settings?: ControllerSettings;
  readonly clock?: Clock;
  readonly random?: RandomSource;
  readonly log?: Logger;
  readonly activity?: Activity;
  /** What controllers count about themselves. @default a set that nobody reads */
  readonly metrics?: Metrics;
  readonly queueMetrics?: QueueMetricsProvider;
}

export interface RunningControllers {
  /** Names of those that run. */
  readonly running: readonly string[];
  /** Resolves when all caches are filled and work has begun. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

/** Runs controllers over one set of informers. */
export function startControllers(options: StartControllersOptions): RunningControllers {
  const { clientFor, gates, settings = {}, clock = systemClock, random = systemRandom } = options;
  const { log = silentLogger, activity = noActivity, metrics = createMetrics(), queueMetrics } = options;
  const shared = clientFor(undefined);
  const factory = createSharedInformerFactory({
    listerWatcher: (resource, namespace) => shared.dynamic(resource, namespace || undefined),
    clock,
    random,
    activity,
    onError: (error) => log.debug("a cache lost its server and recovers", { error }),
  });
  const informers = createInformers(factory, refOf);
  const broadcaster = createEventBroadcaster({
    sink: createEventSink<Event>((namespace) => shared.core.v1.events(namespace)),
    clock,
    random,
    activity,
    onError: (error) => log.debug("an event was not recorded", { error }),
  });
  const started: { readonly name: string; readonly running: RunningController }[] = [];
  for (const controller of chooseControllers(options.all, { ...options, gates })) {
    const context: ControllerContext = {
      client: clientFor(controller.serviceAccount),
      informers,
      recorder: (component) => broadcaster.recorder({ component }),
      settings,
      gates,
      clock,
      random,
      log: log.child({ controller: controller.name }),
      activity,
      metrics,
      ...(queueMetrics && { queueMetrics }),
    };
    const running = controller.start(context);
    if (running) started.push({ name: controller.name, running });
  }
  const ending = new AbortController();
  factory.start();
  const ready = factory.whenSynced(ending.signal).then(() => {
    for (const { running } of started) running.run();
  });
  ready.catch(() => {}); // stopped before the caches were filled
  return {
    running: started.map(({ name }) => name),
    ready,
    async stop() {
      ending.abort();
      await Promise.all(started.map(({ running }) => running.stop()));
      await broadcaster.stop();
      await factory.stop();
    },
  };
}

let refs: ReadonlyMap<string, GroupVersionResource> | undefined;

/** By the names that typed clients have: `("core", "v1", "pods")`. */
function refOf(title: string, version: string, resource: string): GroupVersionResource {
  refs ??= new Map(
    builtInResources.map((info) => [
      `${info.schema.split(".").at(-3) ?? ""}/${info.version}/${info.resource}`,
      { group: info.group, version: info.version, resource: info.resource },
    ]),
  );
  const ref = refs.get(`${title}/${version}/${resource}`);
  if (!ref) throw new Error(`there is no resource ${resource} in ${title}/${version}`);
  return ref;
}
