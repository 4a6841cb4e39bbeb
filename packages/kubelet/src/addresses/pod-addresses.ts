/** Hands out the addresses of a node's pod range. */
export interface PodAddresses {
  /** The next free one. @throws Error when all are taken */
  take(): string;
  /** Takes a given one, as after a restart. */
  claim(address: string): void;
  release(address: string): void;
}

/** Of an IPv4 range in CIDR notation; its first address is the node's gateway, its last the broadcast address. */
export function createPodAddresses(cidr: string): PodAddresses {
  const [base = "", bits = "24"] = cidr.split("/");
  const network = toNumber(base);
  const size = 2 ** (32 - Number(bits));
  const taken = new Set<number>();
  let last = 1;
  return {
    take() {
      for (let tries = 0; tries < size; tries++) {
        last = last + 1 >= size - 1 ? 2 : last + 1;
        if (taken.has(last)) continue;
        taken.add(last);
        return toText(network + last);
      }
      throw new Error(`no IP addresses available in range set: ${cidr}`);
    },
    claim: (address) => void taken.add(toNumber(address) - network),
    release: (address) => void taken.delete(toNumber(address) - network),
  };
}

export const toNumber = (address: string): number =>
  address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
export const toText = (address: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join(".");
