import { createLatch } from "@coxswain/client/informers";
import { LeadershipLostError } from "@coxswain/client/leader-election";
import { createMetrics } from "@coxswain/component/metrics";
import { systemRuntime } from "@coxswain/runtime";
import { type ClusterAccess, createClusterAccess } from "../access/index.js";
import {
  type Controller,
  type ControllerEnvironment,
  createControllerBuilder,
  type ReconcileObserver,
} from "../controller/index.js";
import { countQueues, countReconciles, type Handler, type HealthCheck } from "../serving/index.js";
import {
  type Conversion,
  conversionHandler,
  conversionPath,
  countWebhooks,
  defaultingHandler,
  validatingHandler,
  webhookPath,
} from "../webhook/index.js";
import { type Clusters, checkClusterName, type OpenCluster, openCluster } from "./clusters.js";
import { createElectedLeader, createLoneLeader, type Leader } from "./leader.js";
import type { Manager, Runnable } from "./manager.js";
import type { ManagerOptions } from "./manager-options.js";
import { startServers } from "./start-servers.js";
import { endsWithin } from "./within.js";

/** The manager of a program's controllers and webhooks. Add them, then `start` it. */
export function createManager(options: ManagerOptions): Manager {
  const { client, runtime = systemRuntime(), registry: metrics = createMetrics({ countItself: false }) } = options;
  const { clock, log } = runtime;
  const leader: Leader = options.leaderElection
    ? createElectedLeader({ ...options.leaderElection, client, runtime, onChange: countLeadership() })
    : createLoneLeader();

  const clusters = new Map<string, OpenCluster>();
  const open = (
    name: string,
    ...[given, cache]: Parameters<Clusters["add"]> extends [string, ...infer R] ? R : never
  ) => {
    const opened = openCluster(name, given, { cache, runtime, assertMayWrite: () => leader.assertLeading() });
    clusters.set(name, opened);
    return opened;
  };
  const own = open("", client, options.cache);
  const find = (name: string): OpenCluster => {
    const found = clusters.get(name);
    if (found === undefined) throw new Error(`the manager has no cluster ${JSON.stringify(name)}`);
    return found;
  };

  const controllers: Controller[] = [];
  const runnables: Runnable[] = [];
  const healthChecks = new Map<string, HealthCheck>();
  const readyChecks = new Map<string, HealthCheck>();
  const webhookPaths = new Map<string, Handler>();
  const conversions: Conversion[] = [];
  let counted: ReturnType<typeof countWebhooks> | undefined;
  const environment: ControllerEnvironment = {
    runtime,
    observer: both(countReconciles(metrics), options.observer),
    queueMetrics: countQueues(metrics),
    tracer: options.tracer,
    cluster: (name) => find(name).cluster,
    hasCluster: (name) => clusters.has(name),
    assertLeading: () => leader.assertLeading(),
  };

  const started = createLatch();
  const elected = createLatch();
  const stopping = new AbortController();
  /** Controllers whose sources have started: clusters that come later are added to them. */
  const engaged = new Map<Controller, AbortSignal>();
  let running: Promise<void> | undefined;

  function countLeadership(): (leading: boolean) => void {
    const id = options.leaderElection?.id ?? "";
    const gauge = metrics.gauge({
      name: "leader_election_master_status",
      help: "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master. 'name' is the string used to identify the lease. Please make sure to group by name.",
      labels: ["name"],
      stability: "none",
    });
    gauge.with(id).set(0);
    return (leading) => gauge.with(id).set(leading ? 1 : 0);
  }

  async function engage(controller: Controller, signal: AbortSignal): Promise<void> {
    if (engaged.has(controller)) return;
    engaged.set(controller, signal);
    await Promise.all(
      [...clusters.values()].map(({ cluster, ending }) =>
        controller.engage(cluster, AbortSignal.any([signal, ending.signal])),
      ),
    );
  }

  async function runController(controller: Controller, signal: AbortSignal): Promise<void> {
    await engage(controller, signal);
    await controller.run(signal);
  }

  const isMine = (needsLeader: boolean) => (each: { readonly needsLeader?: boolean }) =>
    (each.needsLeader ?? true) === needsLeader;
  const runAll = (needsLeader: boolean, signal: AbortSignal): Promise<void>[] => [
    ...controllers.filter(isMine(needsLeader)).map((controller) => runController(controller, signal)),
    ...runnables.filter(isMine(needsLeader)).map((runnable) => runnable.run(signal)),
  ];

  /**
   * Servers first, so that probes are answered and conversion webhooks serve before a cache lists what they convert; then caches,
   * then what needs no leader, then the election.
   */
  async function run(outer: AbortSignal): Promise<void> {
    const stop = AbortSignal.any([outer, stopping.signal]);
    const failure = new AbortController();
    const work = AbortSignal.any([stop, failure.signal]);
    const servers = await startServers({ options, metrics, healthChecks, readyChecks, webhookPaths, log });
    let ended: Promise<unknown> = Promise.resolve();
    let lost = false;
    try {
      for (const { cluster } of clusters.values()) cluster.cache.start();
      await untilAborted(
        Promise.all([...clusters.values()].map(({ cluster }) => cluster.cache.whenSynced(work))),
        work,
      );
      const fail = (error: unknown): void => {
        lost ||= error instanceof LeadershipLostError;
        if (!work.aborted) failure.abort(error);
      };
      const others = runAll(false, work);
      await Promise.all(controllers.filter((each) => each.warmUp).map((each) => engage(each, work)));
      const leading = leader.run(work, async (signal) => {
        const led = runAll(true, signal);
        elected.open();
        // The first that fails ends the others; all are awaited before the lease is given up.
        for (const each of led) each.catch(fail);
        await Promise.allSettled(led);
      });
      const all = [...others, leading];
      for (const each of all) each.catch(fail);
      ended = Promise.allSettled(all);
      started.open();
      await aborted(work);
    } catch (error) {
      if (!stop.aborted) failure.abort(error);
    }
    const graceMs = lost ? 0 : (options.gracefulShutdownMs ?? 30_000);
    const shutdown = (async () => {
      await ended;
      await Promise.all([...clusters.keys()].map((name) => close(name)));
      await servers.stop();
    })();
    const inTime = await endsWithin(shutdown, graceMs, clock);
    if (lost) throw new Error("leader election lost", { cause: failure.signal.reason });
    if (failure.signal.aborted) throw failure.signal.reason;
    if (!inTime && graceMs > 0)
      throw new Error(`failed waiting for all runnables to end within grace period of ${graceMs / 1000}s`);
  }

  function serve(path: string, handler: Handler): void {
    if (webhookPaths.has(path)) throw new Error(`can't register duplicate path: ${path}`);
    counted ??= countWebhooks(metrics, clock);
    webhookPaths.set(path, counted(path, handler));
  }

  async function close(name: string): Promise<void> {
    const { cluster, events, ending } = find(name);
    ending.abort();
    await cluster.cache.stop();
    await events.stop();
  }

  const manager: Manager = {
    log,
    metrics,
    client: own.cluster.client,
    cache: own.cluster.cache,
    elected: elected.wait(),
    started: started.wait(),
    get isLeader() {
      return leader.isLeader;
    },
    controller(name) {
      if (running !== undefined) throw new Error(`controller ${name}: the manager runs already`);
      if (controllers.some((each) => each.name === name))
        throw new Error(
          `controller with name ${name} already exists. Controller names must be unique to avoid multiple controllers reporting the same metric`,
        );
      const add = (controller: Controller): void => void controllers.push(controller);
      return createControllerBuilder({ name, defaults: options.controllers ?? {}, environment, add });
    },
    add: (runnable) => void runnables.push(runnable),
    serve,
    webhook(resource, { default: defaulter, validate }) {
      if (defaulter) serve(webhookPath("mutate", resource), defaultingHandler(defaulter));
      if (validate) serve(webhookPath("validate", resource), validatingHandler(validate));
    },
    conversion(hub, spokes) {
      if (conversions.length === 0) serve(conversionPath, conversionHandler(conversions));
      // A conversion hands each function only objects of its own versions.
      conversions.push({ hub, spokes: spokes as unknown as Conversion["spokes"] });
    },
    healthCheck: (name, check) => void healthChecks.set(name, check),
    readyCheck: (name, check) => void readyChecks.set(name, check),
    index(resource, name, valuesOf) {
      for (const { cluster } of clusters.values()) cluster.cache.addIndex(resource, name, valuesOf);
    },
    access: (component, cluster = ""): ClusterAccess => createClusterAccess(find(cluster).cluster, { component }),
    clusters: {
      get names() {
        return [...clusters.keys()];
      },
      async add(name, given, cache) {
        checkClusterName(name, clusters);
        const { cluster, ending } = open(name, given, cache);
        if (running === undefined) return;
        cluster.cache.start();
        await Promise.all(
          [...engaged].map(([controller, signal]) =>
            controller.engage(cluster, AbortSignal.any([signal, ending.signal])),
          ),
        );
      },
      async remove(name) {
        if (name === "") throw new Error("the manager's own cluster cannot be removed");
        await close(name);
        clusters.delete(name);
      },
    },
    start(signal = new AbortController().signal) {
      if (running !== undefined) return Promise.reject(new Error("manager already started"));
      running = run(signal);
      const abandon = (reason: unknown): void => {
        started.abandon(reason as Error);
        elected.abandon(reason as Error);
      };
      running.then(() => abandon(new Error("the manager has ended")), abandon);
      return running;
    },
    async stop() {
      stopping.abort();
      // Why it ended is reported by `start`.
      await running?.catch(() => {});
    },
  };
  // Nobody needs to wait for these.
  manager.elected.catch(() => {});
  manager.started.catch(() => {});
  return manager;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** What waits when the manager is stopped is not worth an error. */
async function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function both(first: ReconcileObserver, second: ReconcileObserver | undefined): ReconcileObserver {
  if (second === undefined) return first;
  return {
    controllerStarted(controller, concurrency) {
      first.controllerStarted?.(controller, concurrency);
      second.controllerStarted?.(controller, concurrency);
    },
    active(controller, change) {
      first.active?.(controller, change);
      second.active?.(controller, change);
    },
    reconciled(record) {
      first.reconciled?.(record);
      second.reconciled?.(record);
    },
  };
}
