import type { DeepReadonly } from "@coxswain/api";
import type { IPAddress, ServiceCIDR } from "@coxswain/api/networking/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import {
  containsNetwork,
  type NumericAddress,
  type NumericNetwork,
  overlaps,
  parseAddress,
  parseNetwork,
} from "../networks/ip-network.js";

export type CachedServiceCidr = DeepReadonly<ServiceCIDR>;
export type CachedIpAddress = Pick<DeepReadonly<IPAddress>, "metadata">;

export const finalizer = "networking.k8s.io/service-cidr-finalizer";
/** So long a range stays after its deletion, in milliseconds: API servers that give addresses out must have learned of it. */
export const deletionGraceMs = 10_000;

const networksOf = ({ spec }: CachedServiceCidr): NumericNetwork[] =>
  (spec?.cidrs ?? []).flatMap((text) => parseNetwork(text) ?? []);

/** Neither the network's own address nor the broadcast address of IPv4 is given to a service. */
const isServiceAddress = ({ family, first, last }: NumericNetwork, address: NumericAddress): boolean =>
  address.family === family &&
  first < address.value &&
  (family === "IPv4" ? address.value < last : address.value <= last);

/** Only the API servers' addresses keep ranges; people may make others. */
const isAllocated = ({ metadata }: CachedIpAddress): boolean =>
  getOwn(metadata?.labels, "ipaddress.kubernetes.io/managed-by") === "ipallocator.k8s.io";

/** Pure: the names of the ranges that overlap with this one, itself among them. */
export const overlapping = (range: CachedServiceCidr, all: readonly CachedServiceCidr[]): string[] =>
  all.flatMap((other) =>
    networksOf(range).some((network) => networksOf(other).some((each) => overlaps(each, network)))
      ? [other.metadata?.name ?? ""]
      : [],
  );

/** Pure: the names of the ranges that an allocated address may be from. */
export function containing(object: CachedIpAddress, all: readonly CachedServiceCidr[]): string[] {
  const address = isAllocated(object) ? parseAddress(object.metadata?.name ?? "") : undefined;
  if (!address) return [];
  return all.flatMap((range) =>
    networksOf(range).some((network) => isServiceAddress(network, address)) ? [range.metadata?.name ?? ""] : [],
  );
}

/** Pure: whether the range may go: each of its networks is part of another range, or no address would be left without one. */
export function mayDelete(
  range: CachedServiceCidr,
  { all, addresses }: { readonly all: readonly CachedServiceCidr[]; readonly addresses: Iterable<CachedIpAddress> },
): boolean {
  const { name } = range.metadata ?? {};
  const others = all.filter((other) => other.metadata?.name !== name).flatMap(networksOf);
  const own = networksOf(range);
  if (own.every((network) => others.some((other) => containsNetwork(other, network)))) return true;
  for (const object of addresses) {
    const address = isAllocated(object) ? parseAddress(object.metadata?.name ?? "") : undefined;
    if (!address || !own.some((network) => isServiceAddress(network, address))) continue;
    if (!others.some((other) => isServiceAddress(other, address))) return false;
  }
  return true;
}

export interface ReadyCondition {
  readonly type: "Ready";
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

export const ready: ReadyCondition = {
  type: "Ready",
  status: "True",
  reason: "",
  message: "Kubernetes Service CIDR is ready",
};

export const inUse: ReadyCondition = {
  type: "Ready",
  status: "False",
  reason: "Terminating",
  message: "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR",
};

export type ServiceCidrPlan =
  /** `addFinalizer` first; undefined: the condition is there. */
  | { readonly kind: "keep"; readonly addFinalizer: boolean; readonly condition: ReadyCondition | undefined }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "release" };

/** Pure: what becomes of a range now. */
export function planServiceCidr(
  range: CachedServiceCidr,
  { mayGo, deletedMs, nowMs }: { mayGo: () => boolean; deletedMs: number | undefined; nowMs: number },
): ServiceCidrPlan {
  const needed = (wanted: ReadyCondition): ReadyCondition | undefined => {
    const is = range.status?.conditions?.find(({ type }) => type === wanted.type);
    return is?.status === wanted.status && (is.reason ?? "") === wanted.reason && is.message === wanted.message
      ? undefined
      : wanted;
  };
  const hasFinalizer = range.metadata?.finalizers?.includes(finalizer) ?? false;
  if (deletedMs === undefined) return { kind: "keep", addFinalizer: !hasFinalizer, condition: needed(ready) };
  if (!mayGo()) return { kind: "keep", addFinalizer: false, condition: needed(inUse) };
  const left = deletedMs + deletionGraceMs - nowMs;
  return left > 0 ? { kind: "wait", ms: left } : { kind: "release" };
}
