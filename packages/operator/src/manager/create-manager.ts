import { createLatch } from "@coxswain/client/informers";
import { createMetrics } from "@coxswain/component/metrics";
import { systemRuntime } from "@coxswain/runtime";
import { createClusterAccess } from "../access/index.js";
import { type Controller, type ControllerEnvironment, createControllerBuilder } from "../controller/index.js";
import { countQueues, countReconciles, type HealthCheck } from "../serving/index.js";
import { bothObservers } from "./both-observers.js";
import { openCluster } from "./clusters.js";
import { createElectedLeader, createLoneLeader, type Leader } from "./leader.js";
import { countLeadership } from "./leadership-metric.js";
import { ManagedClusters } from "./managed-clusters.js";
import type { Manager, Runnable } from "./manager.js";
import type { ManagerOptions } from "./manager-options.js";
import { runManager } from "./run-manager.js";
import { WebhookTable } from "./webhook-table.js";

/** The manager of a program's controllers and webhooks. Add them, then `start` it. */
export function createManager(options: ManagerOptions): Manager {
  const { client, runtime = systemRuntime(), registry: metrics = createMetrics({ countItself: false }) } = options;
  const leader: Leader = options.leaderElection
    ? createElectedLeader({
        ...options.leaderElection,
        client,
        runtime,
        onChange: countLeadership(metrics, options.leaderElection.id),
      })
    : createLoneLeader();
  const clusters = new ManagedClusters((name, given, cache) =>
    openCluster(name, given, { cache, runtime, assertMayWrite: () => leader.assertLeading() }),
  );
  const { cluster: own } = clusters.open("", client, options.cache);
  const webhooks = new WebhookTable(metrics, runtime.clock);
  const controllers: Controller[] = [];
  const runnables: Runnable[] = [];
  const healthChecks = new Map<string, HealthCheck>();
  const readyChecks = new Map<string, HealthCheck>();
  const environment: ControllerEnvironment = {
    runtime,
    observer: bothObservers(countReconciles(metrics), options.observer),
    queueMetrics: countQueues(metrics),
    tracer: options.tracer,
    cluster: (name) => clusters.find(name).cluster,
    hasCluster: (name) => clusters.has(name),
    assertLeading: () => leader.assertLeading(),
  };
  const begin = (name: string) => {
    if (life.isRunning) throw new Error(`controller ${name}: the manager runs already`);
    if (controllers.some((each) => each.name === name))
      throw new Error(
        `controller with name ${name} already exists. Controller names must be unique to avoid multiple controllers reporting the same metric`,
      );
    const add = (controller: Controller): void => void controllers.push(controller);
    return createControllerBuilder({ name, defaults: options.controllers ?? {}, environment, add });
  };
  const parts = { options, runtime, metrics, leader, clusters, controllers, runnables, healthChecks, readyChecks };
  const life = new ManagerLife((stop, { onStarted, onElected }) => {
    clusters.began();
    return runManager({ ...parts, webhookPaths: webhooks.paths, onStarted, onElected }, stop);
  });
  return {
    log: runtime.log,
    metrics,
    client: own.client,
    cache: own.cache,
    clusters,
    elected: life.elected,
    started: life.started,
    get isLeader() {
      return leader.isLeader;
    },
    controller: begin,
    add: (runnable) => void runnables.push(runnable),
    serve: (path, handler) => webhooks.serve(path, handler),
    webhook: (resource, handlers) => webhooks.admission(resource, handlers),
    conversion: (hub, spokes) => webhooks.conversion(hub, spokes),
    healthCheck: (name, check) => void healthChecks.set(name, check),
    readyCheck: (name, check) => void readyChecks.set(name, check),
    index(resource, name, valuesOf) {
      for (const { cluster } of clusters.all()) cluster.cache.addIndex(resource, name, valuesOf);
    },
    access: (component, name = "") => createClusterAccess(clusters.find(name).cluster, { component }),
    start: (signal) => life.start(signal),
    stop: () => life.stop(),
  };
}

interface Milestones {
  readonly onStarted: () => void;
  readonly onElected: () => void;
}

/** A manager is started once, and may be stopped from elsewhere. */
class ManagerLife {
  readonly #started = createLatch();
  readonly #elected = createLatch();
  readonly #stopping = new AbortController();
  readonly #run: (stop: AbortSignal, milestones: Milestones) => Promise<void>;
  #running: Promise<void> | undefined;
  readonly started = this.#started.wait();
  readonly elected = this.#elected.wait();

  constructor(run: (stop: AbortSignal, milestones: Milestones) => Promise<void>) {
    this.#run = run;
    // Nobody needs to wait for these.
    this.started.catch(() => {});
    this.elected.catch(() => {});
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  start(signal = new AbortController().signal): Promise<void> {
    if (this.#running !== undefined) return Promise.reject(new Error("manager already started"));
    this.#running = this.#run(AbortSignal.any([signal, this.#stopping.signal]), {
      onStarted: () => this.#started.open(),
      onElected: () => this.#elected.open(),
    });
    const abandon = (reason: unknown): void => {
      this.#started.abandon(reason as Error);
      this.#elected.abandon(reason as Error);
    };
    this.#running.then(() => abandon(new Error("the manager has ended")), abandon);
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    // Why it ended is reported by `start`.
    await this.#running?.catch(() => {});
  }
}
