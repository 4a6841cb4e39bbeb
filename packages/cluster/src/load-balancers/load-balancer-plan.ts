import type { Service } from "@coxswain/api/core/v1";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import { type Endpoint, readyEndpoints } from "@coxswain/api/endpoint-slices";
import type { DeepReadonly } from "@coxswain/api/types";

/** `spec.loadBalancerClass` of services that are served here; those without a class are, too. */
export const loadBalancerClass = "coxswain.dev/loopback";

export type Transport = "TCP" | "UDP";

export type Backend = Endpoint;

/** A port of a service, to be listened on. */
export interface WantedListener {
  /** `address port transport`: only one listener has it. */
  readonly key: string;
  /** `namespace/name` */
  readonly service: string;
  readonly address: string;
  readonly port: number;
  readonly transport: Transport;
  readonly backends: readonly Backend[];
  /** CIDRs that clients must be in; empty: all clients. */
  readonly sourceRanges: readonly string[];
  /** `sessionAffinity: ClientIP`: a client's connections go to one backend. */
  readonly isSticky: boolean;
}

/** A port that cannot be listened on, as it is shown in `status.loadBalancer.ingress[].ports[].error`. */
export interface RefusedPort {
  readonly service: string;
  readonly port: number;
  readonly protocol: string;
  readonly error: string;
  /** The same for people, in an event. */
  readonly message: string;
}

export interface LoadBalancerPlan {
  /** By `namespace/name`. */
  readonly addresses: ReadonlyMap<string, string>;
  readonly listeners: readonly WantedListener[];
  readonly refused: readonly RefusedPort[];
}

/** The addresses that services get: a range, each its own, or one for all. */
export type AddressPool =
  | { readonly kind: "single"; readonly address: string }
  | { readonly kind: "range"; readonly first: string; readonly last: string };

type ReadService = DeepReadonly<Service>;
type ReadSlice = DeepReadonly<EndpointSlice>;

export const keyOf = ({
  metadata,
}: {
  readonly metadata?: { readonly namespace?: string; readonly name?: string };
}): string => `${metadata?.namespace}/${metadata?.name}`;

/** Whether the service is ours to serve. One that is being deleted is not. */
export function isOurs({ metadata, spec }: ReadService): boolean {
  const isClass = spec?.loadBalancerClass === undefined || spec.loadBalancerClass === loadBalancerClass;
  return spec?.type === "LoadBalancer" && isClass && metadata?.deletionTimestamp === undefined;
}

/**
 * Pure: who gets which address, and what is listened on. A service keeps the address that its status has; older services are served first,
 * so that of two that want one port the older one has it.
 */
export function planLoadBalancers(
  services: readonly ReadService[],
  slicesOf: (service: string) => readonly ReadSlice[],
  pool: AddressPool,
): LoadBalancerPlan {
  const ours = services.filter(isOurs).toSorted(byAge);
  const addresses = planAddresses(ours, pool);
  const listeners = new Map<string, WantedListener>();
  const refused: RefusedPort[] = [];
  for (const service of ours) {
    const key = keyOf(service);
    const address = addresses.get(key);
    for (const port of service.spec?.ports ?? []) {
      const protocol = port.protocol ?? "TCP";
      const refuse = (error: string, why: string): number =>
        refused.push({
          service: key,
          port: port.port,
          protocol,
          error,
          message: `Cannot serve ${port.port}/${protocol}: ${why}`,
        });
      if (address === undefined) refuse("NoAddressLeft", "all addresses of --load-balancer-addresses are taken");
      else if (protocol !== "TCP" && protocol !== "UDP") refuse("ProtocolNotSupported", "only TCP and UDP are relayed");
      else {
        const listener = listenerOf(service, { address, port: port.port, transport: protocol });
        const other = listeners.get(listener.key);
        if (other) refuse("PortInUse", `service ${other.service} has it at ${address}`);
        else
          listeners.set(listener.key, {
            ...listener,
            backends: readyEndpoints(slicesOf(key), port.name ?? "", protocol),
          });
      }
    }
  }
  return { addresses, listeners: [...listeners.values()], refused };
}

const byAge = (a: ReadService, b: ReadService): number =>
  compare(a.metadata?.creationTimestamp ?? "", b.metadata?.creationTimestamp ?? "") || compare(keyOf(a), keyOf(b));
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function listenerOf(
  service: ReadService,
  where: { readonly address: string; readonly port: number; readonly transport: Transport },
): Omit<WantedListener, "backends"> {
  return {
    ...where,
    key: `${where.address} ${where.port} ${where.transport}`,
    service: keyOf(service),
    sourceRanges: service.spec?.loadBalancerSourceRanges ?? [],
    isSticky: service.spec?.sessionAffinity === "ClientIP",
  };
}

function planAddresses(services: readonly ReadService[], pool: AddressPool): Map<string, string> {
  if (pool.kind === "single") return new Map(services.map((service) => [keyOf(service), pool.address]));
  const [first, last] = [toNumber(pool.first), toNumber(pool.last)];
  const isInPool = (address: string | undefined): address is string => {
    const number = address === undefined ? -1 : toNumber(address);
    return number >= first && number <= last;
  };
  const taken = new Set<string>();
  const planned = new Map<string, string>();
  const take = (service: ReadService, address: string | undefined): void => {
    if (!isInPool(address) || taken.has(address) || planned.has(keyOf(service))) return;
    taken.add(address);
    planned.set(keyOf(service), address);
  };
  for (const service of services) take(service, service.status?.loadBalancer?.ingress?.[0]?.ip);
  for (const service of services) take(service, service.spec?.loadBalancerIP);
  let next = first;
  for (const service of services) {
    if (planned.has(keyOf(service))) continue;
    while (next <= last && taken.has(toText(next))) next++;
    if (next <= last) take(service, toText(next));
  }
  return planned;
}

/** -1 for what is no IPv4 address. */
const toNumber = (address: string): number =>
  /^\d+\.\d+\.\d+\.\d+$/.test(address)
    ? address.split(".").reduce((number, octet) => number * 256 + Number(octet), 0)
    : -1;
const toText = (number: number): string => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
