import type { Service } from "@coxswain/api/core/v1";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { notFound, serviceUnavailable } from "@coxswain/apimachinery/status";
import { type RandomSource, shuffled } from "@coxswain/runtime/random";
import type { CacheFeed } from "../cache/cache-feed.js";
import { createLister, type Lister } from "../cache/lister.js";
import { collectionPrefix, objectKey } from "../cache/object-key.js";
import { storedKind } from "../catalogue/stored-kind.js";

/** A service that a webhook or an API server stands behind. */
export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Where a connection goes. */
export interface ServiceAddress {
  /** A name, or an address without brackets. */
  readonly hostname: string;
  readonly port: number;
}

/** Finds where a service is reached. Asked for every new connection. A rejection's message has the reason. */
export interface ServiceResolver {
  resolve(service: ServiceReference): ServiceAddress | Promise<ServiceAddress>;
}

/** How the server reaches services. */
export interface ServiceRouting {
  /** Finds their addresses, instead of the two ways below. */
  readonly resolver?: ServiceResolver;
  /** Whether a ready endpoint is chosen here instead of the cluster IP (`--enable-aggregator-routing`). @default false */
  readonly toEndpoints?: boolean;
}

export function createServiceResolver(
  { resolver, toEndpoints = false }: ServiceRouting,
  feed: CacheFeed,
  random: RandomSource,
): ServiceResolver {
  if (resolver) return resolver;
  const services = createLister<Service>(feed.cacheOf(storedKind("", "services")), "last known");
  const slices = storedKind("discovery.k8s.io", "endpointslices");
  return toEndpoints
    ? createEndpointResolver(services, createLister(feed.cacheOf(slices), "last known"), random)
    : createClusterIpResolver(services);
}

/** Through the service's cluster IP: the cluster's proxy chooses the endpoint. */
export function createClusterIpResolver(services: Lister<Service>): ServiceResolver {
  return {
    resolve(reference) {
      const { spec } = findService(services, reference);
      if (spec?.type === "ExternalName") return { hostname: spec.externalName ?? "", port: reference.port };
      checkType(spec?.type);
      if (spec?.clusterIP === "None") throw new Error('cannot route to service with ClusterIP "None"');
      return { hostname: spec?.clusterIP ?? "", port: findPort(spec, reference).port };
    },
  };
}

/** One of the service's ready endpoints, by chance; those of its first IP family come first (`--enable-aggregator-routing`). */
export function createEndpointResolver(
  services: Lister<Service>,
  endpointSlices: Lister<EndpointSlice & KubernetesObject>,
  random: RandomSource,
): ServiceResolver {
  const kind = storedKind("discovery.k8s.io", "endpointslices");
  return {
    resolve(reference) {
      const { namespace, name } = reference;
      const { spec } = findService(services, reference);
      checkType(spec?.type);
      const wanted = findPort(spec, reference).name ?? "";
      const slices = [...endpointSlices.list(collectionPrefix(kind, namespace))].filter(
        ({ metadata }) => metadata.labels?.["kubernetes.io/service-name"] === name,
      );
      const family = spec?.ipFamilies?.[0];
      const ranked = shuffled(slices, random).sort(
        (a, b) => Number(b.addressType === family) - Number(a.addressType === family),
      );
      for (const { ports, endpoints } of ranked) {
        const port = ports?.find((each) => (each.name ?? "") === wanted && each.port !== undefined)?.port;
        const ready = endpoints?.filter(({ conditions }) => conditions?.ready ?? true) ?? [];
        const hostname = shuffled(ready, random)[0]?.addresses[0];
        if (port !== undefined && hostname !== undefined) return { hostname, port };
      }
      throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(name)}`);
    },
  };
}

function findService(services: Lister<Service>, { namespace, name }: ServiceReference): Service {
  const found = services.get(objectKey(storedKind("", "services"), namespace, name));
  if (!found) throw notFound({ group: "", resource: "service" }, name); // upstream's lister calls it so
  return found;
}

function checkType(type = ""): void {
  if (!["ClusterIP", "LoadBalancer", "NodePort"].includes(type))
    throw new Error(`unsupported service type ${JSON.stringify(type)}`);
}

function findPort(
  spec: Service["spec"],
  { name, port }: ServiceReference,
): NonNullable<NonNullable<Service["spec"]>["ports"]>[number] {
  const found = spec?.ports?.find((each) => each.port === port);
  if (!found) throw serviceUnavailable(`no service port ${port} found for service ${JSON.stringify(name)}`);
  return found;
}
