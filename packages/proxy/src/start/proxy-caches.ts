import type { DeepReadonly } from "@coxswain/api";
import type { Node, Service } from "@coxswain/api/core/v1";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import type { ServiceCIDR } from "@coxswain/api/networking/v1";
import type { Client } from "@coxswain/client";
import {
  createSharedInformer,
  type EventHandler,
  filterListerWatcher,
  type SharedIndexInformer,
} from "@coxswain/client/informers";
import type { Runtime } from "@coxswain/runtime";
import { disjointNetworks } from "../addresses/disjoint-networks.js";
import { networksOf } from "../addresses/family.js";
import type { ProxyMetrics } from "../metrics/proxy-metrics.js";
import type { FamilyProxy } from "../tracking/family-proxy.js";

/** What the proxy watches. */
export interface ProxyCaches {
  readonly node: SharedIndexInformer<DeepReadonly<Node>>;
  /** Hands everything to the proxies, now and from now on. Resolves when they have all that there was. */
  follow(proxies: readonly FamilyProxy[], metrics: ProxyMetrics, signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

export function createProxyCaches(
  runtime: Runtime,
  { client, nodeName }: { client: Client; nodeName: string },
): ProxyCaches {
  const onError = (error: unknown): void => runtime.log.debug("a cache lost its server and recovers", { error });
  const shared = { runtime, onError };
  const node = createSharedInformer<Node>({
    ...shared,
    listerWatcher: filterListerWatcher(client.core.v1.nodes(), { fieldSelector: `metadata.name=${nodeName}` }),
  });
  // Headless services are DNS's alone, and a label hands a service to another proxy.
  const services = createSharedInformer<Service>({
    ...shared,
    listerWatcher: filterListerWatcher(client.core.v1.services(), {
      labelSelector: "!service.kubernetes.io/service-proxy-name",
      fieldSelector: "spec.clusterIP!=None",
    }),
    transform: withoutManagedFields,
  });
  const slices = createSharedInformer<EndpointSlice>({
    ...shared,
    listerWatcher: filterListerWatcher(client.discovery.v1.endpointslices(), {
      labelSelector: "!service.kubernetes.io/headless",
    }),
    transform: withoutManagedFields,
  });
  const networks = createSharedInformer<ServiceCIDR>({ ...shared, listerWatcher: client.networking.v1.servicecidrs() });
  const all = [node, services, slices, networks];
  return {
    node,
    async follow(proxies, metrics, signal) {
      const registrations = [
        services.addHandler(serviceHandler(proxies, metrics)),
        slices.addHandler(sliceHandler(proxies, metrics)),
        networks.addHandler(networkHandler(proxies, networks)),
      ];
      for (const informer of [services, slices, networks]) informer.start();
      for (const registration of registrations) await registration.whenSynced(signal);
    },
    stop: async () => void (await Promise.all(all.map((informer) => informer.stop()))),
  };
}

/** Half of an object, and nothing that rules depend on. */
function withoutManagedFields<T extends { metadata?: { managedFields?: unknown } }>(object: T): T {
  const { managedFields: _unused, ...metadata } = object.metadata ?? {};
  return { ...object, metadata };
}

const serviceHandler = (
  proxies: readonly FamilyProxy[],
  metrics: ProxyMetrics,
): EventHandler<DeepReadonly<Service>> => {
  const count = (): void => {
    metrics.serviceChanges.with().add(1);
    metrics.serviceChangesPending.with().set(proxies[0]?.tracker.pending.services ?? 0);
    for (const proxy of proxies) proxy.changed();
  };
  const put = (service: DeepReadonly<Service>): void => {
    for (const { tracker } of proxies) tracker.putService(service);
    count();
  };
  return {
    onAdd: put,
    onUpdate: (_old, service) => put(service),
    onDelete(service) {
      for (const { tracker } of proxies) tracker.removeService(service);
      count();
    },
  };
};

const sliceHandler = (
  proxies: readonly FamilyProxy[],
  metrics: ProxyMetrics,
): EventHandler<DeepReadonly<EndpointSlice>> => {
  const change = (slice: DeepReadonly<EndpointSlice>, verb: "putSlice" | "removeSlice"): void => {
    const proxy = proxies.find(({ family }) => family === slice.addressType);
    proxy?.tracker[verb](slice);
    metrics.endpointChanges.with().add(1);
    metrics.endpointChangesPending.with().set(proxy?.tracker.pending.endpoints ?? 0);
    proxy?.changed();
  };
  return {
    onAdd: (slice) => change(slice, "putSlice"),
    onUpdate(old, slice) {
      // A slice may be given to another service.
      change(old, "removeSlice");
      change(slice, "putSlice");
    },
    onDelete: (slice) => change(slice, "removeSlice"),
  };
};

/** Networks of services: what is in them and no service's is dropped. */
function networkHandler(
  proxies: readonly FamilyProxy[],
  networks: SharedIndexInformer<DeepReadonly<ServiceCIDR>>,
): EventHandler<DeepReadonly<ServiceCIDR>> {
  let before = "";
  const change = (): void => {
    const cidrs = networks.indexer.list().flatMap(({ spec }) => [...(spec?.cidrs ?? [])]);
    const now = cidrs.sort().join();
    if (now === before) return;
    before = now;
    for (const proxy of proxies)
      proxy.reconfigure({
        serviceNetworks: disjointNetworks(networksOf(proxy.family, cidrs).map(({ text }) => text)),
      });
  };
  return { onAdd: change, onUpdate: change, onDelete: change };
}
