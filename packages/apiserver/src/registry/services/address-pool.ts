import type { ServiceCIDR } from "@coxswain/api/networking/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { RandomSource } from "@coxswain/runtime/random";
import { type Address, contains, formatAddress, type IpRange, parseRange } from "./ip-range.js";
import type { IpFamily } from "./service.js";

/** Why an address cannot be had; the message is upstream's. */
export class AddressRefusal extends Error {
  readonly full: boolean;
  constructor(message: string, full = false) {
    super(message);
    this.full = full;
  }
}

export interface AddressPool {
  /** Checks that this address may be taken. Throws AddressRefusal. */
  check(address: Address): void;
  /** Any free address. Throws AddressRefusal when there is none. */
  next(family: IpFamily): string;
  /** The same without looking who has what: a dry run promises nothing. */
  readonly dryRun: Pick<AddressPool, "check" | "next">;
}

interface PoolOptions {
  /** As they stand in the cache. */
  readonly cidrs: Iterable<ServiceCIDR & KubernetesObject>;
  isTaken(name: string): boolean;
  readonly random: RandomSource;
}

/** The addresses of all ServiceCIDRs that are ready, as of now. */
export function createAddressPool({ cidrs, isTaken, random }: PoolOptions): AddressPool {
  const ranges = [...cidrs]
    .filter(isReady)
    .flatMap(({ spec }) => (spec?.cidrs ?? []).flatMap((cidr) => parseRange(cidr) ?? []));

  return {
    check(address) {
      if (!ranges.some((range) => contains(range, address)))
        throw new AddressRefusal("the provided network does not match the current range");
      if (isTaken(formatAddress(address))) throw new AddressRefusal("provided IP is already allocated");
    },
    next(family) {
      for (const range of ranges) {
        if (range.family !== family) continue;
        const found =
          freeIn(range, range.dynamicFrom, range.last, isTaken, random) ??
          freeIn(range, range.first, range.dynamicFrom - 1n, isTaken, random);
        if (found !== undefined) return found;
      }
      throw new AddressRefusal("range is full", true);
    },
    dryRun: {
      check(address) {
        const range = ranges.find(({ family }) => family === address.family);
        if (!range || !contains(range, address))
          throw new AddressRefusal(
            `the provided IP (${formatAddress(address)}) is not in the valid range. The range of valid IPs is ${range?.cidr ?? "<nil>"}`,
          );
      },
      next(family) {
        const range = ranges.find((candidate) => candidate.family === family);
        if (!range) throw new AddressRefusal("range is full", true);
        return formatAddress({ family, value: range.network });
      },
    },
  };
}

/** A range without a word on its readiness is ready. */
function isReady({ metadata, status }: ServiceCIDR & KubernetesObject): boolean {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return !metadata.deletionTimestamp && (ready === undefined || ready.status === "True");
}

/** Looks from a place by chance, once around. */
function freeIn(
  { family }: IpRange,
  first: bigint,
  last: bigint,
  isTaken: (name: string) => boolean,
  random: RandomSource,
): string | undefined {
  const size = last - first + 1n;
  if (size <= 0n) return undefined;
  const start = randomBelow(size, random);
  for (let step = 0n; step < size; step++) {
    const name = formatAddress({ family, value: first + ((start + step) % size) });
    if (!isTaken(name)) return name;
  }
  return undefined;
}

const randomBelow = (end: bigint, random: RandomSource): bigint =>
  random.bytes(16).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n) % end;
