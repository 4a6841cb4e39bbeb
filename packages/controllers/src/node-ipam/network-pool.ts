import { formatNetwork, type NumericNetwork, networkOf, overlaps } from "../networks/ip-network.js";

/** The networks of one size that a larger one is divided into, and which of them are taken. */
export interface NetworkPool {
  /** The next free network after the one given last; undefined: all are taken. */
  allocate(): NumericNetwork | undefined;
  /** Takes all that are in the network, or that it is in. @throws Error when it is outside */
  occupy(network: NumericNetwork): void;
  /** Gives them back. @throws Error when it is outside */
  release(network: NumericNetwork): void;
}

/** Is called as networks are taken and given back. */
export interface PoolObserver {
  opened(size: number): void;
  taken(): void;
  released(): void;
  /** So many were looked at that are taken before one was free. */
  searched(count: number): void;
  /** The share that is taken, between 0 and 1. */
  used(share: number): void;
}

/** IPv6 networks may be divided by so many bits: others would be too many to remember. */
const maxBits = 16;

/** @throws Error when the parts are larger than the whole, or too many */
export function createNetworkPool(whole: NumericNetwork, partLength: number, observer?: PoolObserver): NetworkPool {
  const bits = partLength - whole.prefixLength;
  if (bits < 0)
    throw new Error(
      "Controller: Invalid --cluster-cidr, mask size of cluster CIDR must be less than or equal to --node-cidr-mask-size configured for CIDR family",
    );
  if (whole.family === "IPv6" && bits > maxBits) throw new Error("New CIDR set failed; the node CIDR size is too big");
  const size = 2 ** bits;
  const taken = new Set<number>();
  let next = 0;
  const sizeOfPart = networkOf(whole.family, whole.first, partLength).last - whole.first + 1n;
  const placeOf = (address: bigint): number => Number((address - whole.first) / sizeOfPart);
  function* placesIn(network: NumericNetwork): Iterable<number> {
    if (!overlaps(whole, network))
      throw new Error(`cidr ${formatNetwork(network)} is out the range of cluster cidr ${formatNetwork(whole)}`);
    const isWhole = network.prefixLength <= whole.prefixLength;
    const [from, to] = isWhole ? [0, size - 1] : [placeOf(network.first), placeOf(network.last)];
    for (let place = from; place <= to; place++) yield place;
  }
  observer?.opened(size);
  function take(place: number): void {
    if (taken.has(place)) return;
    taken.add(place);
    observer?.taken();
    observer?.used(taken.size / size);
  }
  function free(place: number): void {
    if (!taken.delete(place)) return;
    observer?.released();
    observer?.used(taken.size / size);
  }
  return {
    allocate() {
      if (taken.size >= size) return undefined;
      let tries = 0;
      for (; taken.has(next); next = (next + 1) % size) tries++;
      const place = next;
      next = (next + 1) % size;
      take(place);
      observer?.searched(tries);
      return networkOf(whole.family, whole.first + BigInt(place) * sizeOfPart, partLength);
    },
    occupy(network) {
      for (const place of placesIn(network)) take(place);
    },
    release(network) {
      for (const place of placesIn(network)) free(place);
    },
  };
}
