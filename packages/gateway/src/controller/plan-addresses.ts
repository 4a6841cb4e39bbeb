import { isIPv4 } from "node:net";
import type { Gateway } from "../objects/gateway-objects.js";
import { byAge, keyOf } from "../plan/world.js";

/** Addresses of Gateways: one for all, or a range of IPv4 addresses, each its own. */
export type GatewayAddresses =
  | { readonly kind: "single"; readonly address: string }
  | { readonly kind: "range"; readonly first: string; readonly last: string };

/** Where a Gateway is served. */
export interface AssignedAddresses {
  readonly addresses: readonly string[];
  /** Those that it asks for and cannot have. */
  readonly unusable: readonly string[];
}

/**
 * Pure: each Gateway's addresses by its owner name: those that it asks for, as far as they are ours; else one of ours. One keeps the address
 * that its status has; older ones choose first. Where none is left the last one is shared.
 */
export function planAddresses(
  gateways: readonly Gateway[],
  pool: GatewayAddresses,
): ReadonlyMap<string, AssignedAddresses> {
  const [first, last] = pool.kind === "single" ? [pool.address, pool.address] : [pool.first, pool.last];
  const range = { first: toNumber(first), last: toNumber(last) };
  const isOurs = (address: string): boolean =>
    pool.kind === "single" ? address === pool.address : isWithin(toNumber(address), range);
  const chosen = new Map<string, AssignedAddresses>();
  const taken = new Set<number>();
  const ordered = gateways.toSorted(byAge);
  for (const gateway of ordered) {
    const wanted = wantedBy(gateway);
    if (wanted.length === 0) continue;
    const addresses = wanted.filter(isOurs);
    chosen.set(ownerOf(gateway), { addresses, unusable: wanted.filter((address) => !isOurs(address)) });
    for (const address of addresses) taken.add(toNumber(address));
  }
  const assigned = assign(
    ordered.filter((gateway) => !chosen.has(ownerOf(gateway))),
    pool,
    { range, taken },
  );
  for (const [owner, address] of assigned) chosen.set(owner, { addresses: [address], unusable: [] });
  return chosen;
}

interface NumberRange {
  readonly first: number;
  readonly last: number;
}

function assign(
  gateways: readonly Gateway[],
  pool: GatewayAddresses,
  { range, taken }: { readonly range: NumberRange; readonly taken: Set<number> },
): Map<string, string> {
  if (pool.kind === "single") return new Map(gateways.map((gateway) => [ownerOf(gateway), pool.address]));
  const chosen = new Map<string, string>();
  for (const gateway of gateways) {
    const kept = toNumber(gateway.status?.addresses?.[0]?.value ?? "");
    if (!isWithin(kept, range) || taken.has(kept)) continue;
    taken.add(kept);
    chosen.set(ownerOf(gateway), toText(kept));
  }
  let next = range.first;
  for (const gateway of gateways) {
    if (chosen.has(ownerOf(gateway))) continue;
    while (taken.has(next) && next < range.last) next++;
    taken.add(next);
    chosen.set(ownerOf(gateway), toText(next));
  }
  return chosen;
}

/** Values of addresses that have one; an address without a value asks for any. */
const wantedBy = ({ spec }: Gateway): string[] =>
  (spec.addresses ?? []).flatMap(({ type = "IPAddress", value = "" }) =>
    type === "IPAddress" && value !== "" ? [value] : [],
  );

const ownerOf = (gateway: Gateway): string => `gateway ${keyOf(gateway)}`;
const isWithin = (address: number, { first, last }: NumberRange): boolean => address >= first && address <= last;

/** -1: not an IPv4 address. */
const toNumber = (address: string): number =>
  isIPv4(address) ? address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0) : -1;
const toText = (number: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join(".");
