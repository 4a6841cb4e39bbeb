import type { Event } from "@coxswain/api/core/v1";
import { builtInResources } from "@coxswain/api/resources";
import { formatGroupVersionResource, type GroupVersionResource } from "@coxswain/apimachinery/meta";
import type { Client } from "@coxswain/client";
import { createEventBroadcaster, createEventSink } from "@coxswain/client/events";
import {
  createSharedInformerFactory,
  type SharedIndexInformer,
  withoutManagedFields,
} from "@coxswain/client/informers";
import type { QueueMetricsProvider } from "@coxswain/client/queue";
import { childRuntime, type Runtime, traceAs } from "@coxswain/runtime";
import type { ControllerSettings } from "../settings/controller-settings.js";
import { chooseControllers } from "./choose-controllers.js";
import type { Controller, ControllerContext, RunningController } from "./controller.js";
import { createInformers, type HeldInformers } from "./informers.js";
import { createSharedDiscovery } from "./shared-discovery.js";
import { createUnservedResources } from "./unserved-resources.js";

export interface StartControllersOptions {
  readonly all: readonly Controller[];
  /** `--controllers`. @default ["*"] */
  readonly controllers?: readonly string[];
  /** The client of a service account in kube-system; undefined: the controller manager's own, which also fills the caches. */
  clientFor(serviceAccount: string | undefined): Client;
  readonly gates: { enabled(gate: string): boolean };
  readonly settings?: ControllerSettings;
  /** Its metrics are what controllers count about themselves. */
  readonly runtime: Runtime;
  readonly queueMetrics?: QueueMetricsProvider;
}

export interface RunningControllers {
  /** Names of those that run. */
  readonly running: readonly string[];
  /**
   * Resolves when every controller works whose resources the server serves. The others begin when their resources are served; the log
   * names them.
   */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

/** Runs controllers over one set of informers. */
export function startControllers(options: StartControllersOptions): RunningControllers {
  const { clientFor, gates, settings = {}, runtime, queueMetrics } = options;
  const { clock, log } = runtime;
  const shared = clientFor(undefined);
  const unserved = createUnservedResources();
  const discovery = createSharedDiscovery({ client: shared, clock });
  const factory = createSharedInformerFactory({
    listerWatcher: (resource, namespace) =>
      unserved.observe(resource, shared.dynamic(resource, namespace || undefined)),
    transform: withoutManagedFields,
    runtime,
    onError: (error) => log.debug("a cache lost its server and recovers", { error }),
  });
  const broadcaster = createEventBroadcaster({
    sink: createEventSink<Event>((namespace) => shared.core.v1.events(namespace)),
    runtime,
    onError: (error) => log.debug("an event was not recorded", { error }),
  });
  const started: StartedController[] = [];
  const held: HeldInformers = new Map();
  for (const controller of chooseControllers(options.all, { ...options, gates })) {
    const caches = new Map<SharedIndexInformer<never>, GroupVersionResource>();
    const context: ControllerContext = {
      client: clientFor(controller.serviceAccount),
      informers: createInformers({
        factory,
        refOf,
        all: held,
        onUse: (resource, informer) => caches.set(informer as never, resource),
      }),
      discovery,
      recorder: (component) => broadcaster.recorder({ component }),
      settings,
      gates,
      runtime: traceAs(
        childRuntime(runtime, { controller: controller.name }),
        controller.serviceAccount ?? "kube-controller-manager",
      ),
      ...(queueMetrics && { queueMetrics }),
    };
    const running = controller.start(context);
    if (running) started.push({ name: controller.name, running, caches });
  }
  const ending = new AbortController();
  factory.start();
  // One of them waits in vain where an API is off that it needs: that must not keep the others from their work.
  const begin = async ({ name, running, caches }: StartedController): Promise<void> => {
    const synced = Array.from(caches.keys(), (informer) => informer.whenSynced()); // stopping the factory ends these
    const begun = Promise.all(synced).then(() => (ending.signal.aborted ? undefined : running.run()));
    const refused = unserved.whenOneOf([...caches.values()]).then((resource) => {
      if (!ending.signal.aborted)
        log.warn(
          "a controller waits for a resource that the server does not serve: serve it, or switch the controller off",
          {
            controller: name,
            resource: formatGroupVersionResource(resource),
          },
        );
    });
    begun.catch(() => {}); // stopped before the caches were filled
    await Promise.race([begun, refused]);
  };
  const ready = Promise.all(started.map(begin)).then(() => undefined);
  ready.catch(() => {}); // likewise
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

interface StartedController {
  readonly name: string;
  readonly running: RunningController;
  /** The caches that it asked for. */
  readonly caches: ReadonlyMap<SharedIndexInformer<never>, GroupVersionResource>;
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
