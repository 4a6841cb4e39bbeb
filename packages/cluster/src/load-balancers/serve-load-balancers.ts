import type { Event, Service } from "@coxswain/api/core/v1";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { getOwn } from "@coxswain/apimachinery/own";
import type { Client } from "@coxswain/client";
import { createEventBroadcaster, createEventSink } from "@coxswain/client/events";
import { createSharedInformer } from "@coxswain/client/informers";
import type { Timer } from "@coxswain/runtime/clock";
import { createListeners } from "./listeners.js";
import { type AddressPool, isOurs, keyOf, planLoadBalancers, type RefusedPort } from "./load-balancer-plan.js";
import type { RelayOptions } from "./open-listener.js";
import { failedPort, planIngress } from "./plan-status.js";
import { createProblemReporter } from "./report-problems.js";

export interface LoadBalancersOptions extends RelayOptions {
  readonly client: Client;
  readonly pool: AddressPool;
}

export interface RunningLoadBalancers {
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

const byService = "service";
/** Milliseconds until a port that could not be listened on is tried again. */
const retryMs = 10_000;

/** Serves Services of type LoadBalancer at addresses of this machine, for as long as they exist. */
export function serveLoadBalancers(options: LoadBalancersOptions): RunningLoadBalancers {
  const { runtime, client, pool } = options;
  const onError = (error: unknown): void =>
    runtime.log.debug("a load balancer's request failed and is tried again", { error });
  const services = createSharedInformer<Service>({ listerWatcher: client.core.v1.services(), runtime, onError });
  const slices = createSharedInformer<EndpointSlice>({
    listerWatcher: client.discovery.v1.endpointslices(),
    runtime,
    onError,
    indexers: {
      [byService]: ({ metadata }) => [
        `${metadata?.namespace}/${getOwn(metadata?.labels, "kubernetes.io/service-name")}`,
      ],
    },
  });
  const broadcaster = createEventBroadcaster({
    sink: createEventSink<Event>((namespace) => client.core.v1.events(namespace)),
    onError,
    runtime,
  });
  const report = createProblemReporter(broadcaster.recorder({ component: "coxswain-load-balancer" }));
  const listeners = createListeners(options);
  /** Addresses that this process wrote, by service. */
  const written = new Set<string>();
  let retry: Timer | undefined;

  async function writeStatus(service: DeepReadonly<Service>, ingress: ReturnType<typeof planIngress>): Promise<void> {
    const { namespace = "", name = "" } = service.metadata ?? {};
    if (JSON.stringify(service.status?.loadBalancer?.ingress ?? []) === JSON.stringify(ingress)) return;
    const loadBalancer = ingress.length > 0 ? { ingress } : null;
    await client.core.v1
      .services(namespace)
      .subresource<Service>("status")
      .patch(name, { merge: { status: { loadBalancer } } } as never);
  }

  async function reconcile(): Promise<void> {
    const all = services.indexer.list();
    const plan = planLoadBalancers(all, (service) => slices.indexer.byIndex(byService, service), pool);
    const failed: RefusedPort[] = [];
    for (const { wanted, error } of await listeners.apply(plan.listeners)) failed.push(failedPort(wanted, error));
    report(all, [...plan.refused, ...failed]);
    // What keeps a port busy ends without an event of ours.
    retry?.cancel();
    if (failed.length > 0) retry = runtime.ioClock.setTimer(retryMs, () => loop.wake());
    for (const service of all) {
      const isServed = isOurs(service);
      if (!isServed && !written.delete(keyOf(service))) continue;
      if (isServed) written.add(keyOf(service));
      await writeStatus(service, planIngress(service, plan, failed)).catch(onError);
    }
  }

  const loop = createReconcileLoop(reconcile, (error) =>
    runtime.log.warn("load balancers cannot be served", { error }),
  );
  const handler = { onAdd: loop.wake, onUpdate: loop.wake, onDelete: loop.wake };
  services.addHandler(handler);
  slices.addHandler(handler);
  services.start();
  slices.start();
  const ready = Promise.all([services.whenSynced(), slices.whenSynced()]).then(() => loop.begin());
  ready.catch(() => {}); // stopped before: an error for those who wait for it, and nobody else
  return {
    ready,
    async stop() {
      await Promise.all([services.stop(), slices.stop()]);
      retry?.cancel();
      await loop.stop();
      await listeners.close();
      await broadcaster.stop();
    },
  };
}

/** Runs `reconcile` once for any number of wakes, one at a time, and not before `begin`. */
function createReconcileLoop(reconcile: () => Promise<void>, onError: (error: unknown) => void) {
  const state = { hasBegun: false, isWanted: false, isStopped: false };
  let running: Promise<void> | undefined;
  async function run(): Promise<void> {
    while (state.isWanted && !state.isStopped) {
      state.isWanted = false;
      await reconcile().catch(onError);
    }
    running = undefined;
  }
  const wake = (): void => {
    state.isWanted = true;
    if (state.hasBegun && !state.isStopped) running ??= run();
  };
  return {
    wake,
    async begin(): Promise<void> {
      state.hasBegun = true;
      wake();
      await running;
    },
    async stop(): Promise<void> {
      state.isStopped = true;
      await running;
    },
  };
}
