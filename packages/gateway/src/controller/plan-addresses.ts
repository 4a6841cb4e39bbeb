import { isIPv4 } from "node:net";
import type { Gateway } from "../objects/gateway-objects.js";
import { keyOf } from "../plan/world.js";

/** Addresses of Gateways: one for all, or a range of IPv4 addresses, each its own. */
export type GatewayAddresses =
  | { readonly kind: "single"; readonly address: string }
  | { readonly kind: "range"; readonly first: string; readonly last: string };

/** Pure: each Gateway's address by its owner name. One keeps the address that its status has; older ones choose first. Where none is left the last one is shared. */
export function planAddresses(gateways: readonly Gateway[], pool: GatewayAddresses): ReadonlyMap<string, string> {
  if (pool.kind === "single") return new Map(gateways.map((gateway) => [ownerOf(gateway), pool.address]));
  const [first, last] = [toNumber(pool.first), toNumber(pool.last)];
  const chosen = new Map<string, string>();
  const taken = new Set<number>();
  const ordered = gateways.toSorted((a, b) => compare(ageOf(a), ageOf(b)) || compare(keyOf(a), keyOf(b)));
  for (const gateway of ordered) {
    const kept = toNumber(gateway.status?.addresses?.[0]?.value ?? "");
    if (kept < first || kept > last || taken.has(kept)) continue;
    taken.add(kept);
    chosen.set(ownerOf(gateway), toText(kept));
  }
  let next = first;
  for (const gateway of ordered) {
    if (chosen.has(ownerOf(gateway))) continue;
    while (taken.has(next) && next < last) next++;
    taken.add(next);
    chosen.set(ownerOf(gateway), toText(next));
  }
  return chosen;
}

const ownerOf = (gateway: Gateway): string => `gateway ${keyOf(gateway)}`;
const ageOf = ({ metadata }: Gateway): string => metadata.creationTimestamp ?? "";
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** -1: not an IPv4 address. */
const toNumber = (address: string): number =>
  isIPv4(address) ? address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0) : -1;
const toText = (number: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join(".");
