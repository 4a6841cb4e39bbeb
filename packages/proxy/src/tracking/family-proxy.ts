import type { Runtime } from "@coxswain/runtime";
import type { Family } from "../addresses/family.js";
import { hasFlows, planCleanup } from "../conntrack/plan-cleanup.js";
import type { Conntrack } from "../conntrack/run-conntrack.js";
import type { ServiceFrontends } from "../frontends/frontend.js";
import { planFrontends, type ThisNode } from "../frontends/plan-frontends.js";
import type { ProxyHealth } from "../health/proxy-health.js";
import type { ServiceHealthServers } from "../health/service-health-servers.js";
import type { ProxyMetrics } from "../metrics/proxy-metrics.js";
import { RuleSync } from "../nft/rule-sync.js";
import type { Nft } from "../nft/run-nft.js";
import { serviceSource } from "../nft/service-source.js";
import { RuleState } from "../rules/rule-state.js";
import type { TableSettings } from "../rules/table-settings.js";
import { ServiceTracker } from "./service-tracker.js";

export interface FamilyProxyOptions {
  readonly settings: TableSettings;
  readonly node: ThisNode;
  readonly nft: Nft;
  readonly conntrack: Conntrack;
  readonly metrics: ProxyMetrics;
  readonly health: ProxyHealth;
  readonly healthServers: ServiceHealthServers;
  readonly minSyncPeriodMs: number;
  readonly syncPeriodMs: number;
}

/** Upstream's period of writing everything again. */
const fullPeriodMs = 3_600_000;
/** Planning a service takes about so long; the event loop is free in between. */
const microsPerService = 60;
/** Latencies that are observed for one transaction, so that a failure that lasts keeps no list that grows. */
const maxTriggerTimes = 10_000;
/** Collisions that are logged for one transaction: a thousand services on one address are one mistake. */
const maxLogged = 10;

/** The services of one family: what has changed is planned, written, and followed by conntrack, health checks and metrics. */
export class FamilyProxy {
  readonly tracker: ServiceTracker;
  readonly #runtime: Runtime;
  readonly #options: FamilyProxyOptions;
  readonly #state: RuleState;
  readonly #sync: RuleSync;
  readonly #plans = new Map<string, ServiceFrontends>();
  /** Services whose change is not followed up yet: it waits for its transaction. */
  readonly #unfinished = new Set<string>();
  #triggerTimes: number[] = [];
  #noLocal = { internal: 0, external: 0 };
  #node: ThisNode;
  #isOpen = false;
  #after: Promise<void> = Promise.resolve();

  constructor(runtime: Runtime, options: FamilyProxyOptions) {
    this.#runtime = runtime;
    this.#options = options;
    this.#node = options.node;
    this.tracker = new ServiceTracker(options.node.family);
    this.#state = new RuleState(options.settings);
    options.health.begin(this.family);
    this.#sync = new RuleSync(runtime, {
      source: serviceSource(this.#state, options.nft),
      nft: options.nft,
      minPeriodMs: options.minSyncPeriodMs,
      retryMs: options.syncPeriodMs,
      fullPeriodMs,
      prepare: () => this.#prepare(),
      onApplied: (about) => this.#applied(about),
      onFailed: (error) => this.#failed(error),
    });
  }

  get family(): Family {
    return this.#node.family;
  }

  /** Everything that there was at the start is known: rules may be written from now on. */
  open(): void {
    this.#isOpen = true;
    this.changed();
  }

  /** The tracker has something new. */
  changed(): void {
    const { health, metrics } = this.#options;
    health.queued(this.family);
    metrics.lastQueued.with(this.family).set(this.#runtime.clock.now() / 1000);
    if (this.#isOpen) this.#sync.request();
  }

  /** The node has moved to another zone, or has another address. */
  moveTo(node: ThisNode): void {
    this.#node = node;
    this.tracker.changeAll();
    this.changed();
  }

  /** The fixed part of the table is another one. */
  reconfigure(change: Partial<TableSettings>): void {
    this.#state.settings = { ...this.#state.settings, ...change };
    this.tracker.changeAll();
    this.#options.health.queued(this.family);
    if (this.#isOpen) this.#sync.requestFull();
  }

  async stop(): Promise<void> {
    await this.#sync.stop();
    await this.#after;
  }

  async #prepare(): Promise<void> {
    const { services, triggerTimes } = this.tracker.takeChanges();
    this.#options.metrics.serviceChangesPending.with().set(0);
    this.#options.metrics.endpointChangesPending.with().set(0);
    this.#triggerTimes = [...this.#triggerTimes, ...triggerTimes].slice(0, maxTriggerTimes);
    let logged = 0;
    for (const key of services) {
      const pause = this.#runtime.scheduler.yield(microsPerService);
      if (pause) await pause;
      const { service, slices } = this.tracker.get(key);
      const plan = service && planFrontends(service, slices, this.#node);
      this.#count(this.#plans.get(key), -1);
      this.#count(plan, 1);
      if (plan === undefined) this.#plans.delete(key);
      else this.#plans.set(key, plan);
      this.#unfinished.add(key);
      for (const { key: frontend, winner, loser } of this.#state.put(key, plan))
        if (logged++ < maxLogged)
          this.#runtime.log.warn("two services have the same frontend: the older one is reached", {
            frontend,
            winner,
            loser,
          });
    }
  }

  #count(plan: ServiceFrontends | undefined, by: number): void {
    for (const { noLocal } of plan?.ports ?? []) {
      if (noLocal.internal) this.#noLocal.internal += by;
      if (noLocal.external) this.#noLocal.external += by;
    }
  }

  #applied({ full, elapsedMs }: { full: boolean; elapsedMs: number }): void {
    const { metrics, health } = this.#options;
    const { family } = this;
    const now = this.#runtime.clock.now();
    const seconds = elapsedMs / 1000;
    metrics.syncSeconds.of(family).observe(seconds);
    (full ? metrics.fullSyncSeconds : metrics.partialSyncSeconds).of(family).observe(seconds);
    metrics.lastSynced.with(family).set(now / 1000);
    for (const at of this.#triggerTimes.splice(0))
      metrics.programmingSeconds.of(family).observe(Math.max(0, now - at) / 1000);
    metrics.noLocalEndpoints.with("internal", family).set(this.#noLocal.internal);
    metrics.noLocalEndpoints.with("external", family).set(this.#noLocal.external);
    health.updated(family);
    this.#runtime.log.debug("rules are written", { family, full, elapsedMs, services: this.#state.serviceCount });
    const changed = [...this.#unfinished];
    this.#unfinished.clear();
    this.#after = this.#after.then(() => this.#followUp(changed));
  }

  #failed(error: unknown): void {
    this.#options.metrics.syncFailures.of(this.family).add(1);
    this.#runtime.log.error("rules cannot be written", { family: this.family, error });
  }

  async #followUp(changed: readonly string[]): Promise<void> {
    for (const service of changed) {
      const plan = this.#plans.get(service);
      const port = plan?.healthCheckNodePort ?? 0;
      await this.#options.healthServers.put(
        service,
        plan === undefined || port === 0 ? undefined : { port, localEndpoints: plan.localReady },
      );
    }
    await this.#cleanUpFlows(changed.flatMap((service) => this.#plans.get(service) ?? []));
  }

  async #cleanUpFlows(services: readonly ServiceFrontends[]): Promise<void> {
    const concerned = services.filter(hasFlows);
    if (concerned.length === 0) return;
    const { conntrack, metrics } = this.#options;
    const { family } = this;
    const start = this.#runtime.clock.monotonic();
    try {
      const stale = planCleanup(concerned, await conntrack.list(family));
      for (const entry of stale) await conntrack.remove(family, entry);
      metrics.conntrackDeleted.of(family).add(stale.length);
    } catch (error) {
      this.#runtime.log.warn("flows to endpoints that went cannot be removed", { family, error });
    }
    metrics.conntrackSeconds.of(family).observe((this.#runtime.clock.monotonic() - start) / 1000);
  }
}
