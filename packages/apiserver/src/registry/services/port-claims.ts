import { type RandomSource, randomInt } from "@coxswain/runtime/random";

/** Inclusive on both sides. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Why a port cannot be had; the message is upstream's. */
export class PortRefusal extends Error {}

/** What one write does to the node ports; nothing happens before it is stored. */
export interface PortClaims {
  /** Throws PortRefusal when it is taken or out of range. */
  claim(port: number): void;
  /** Any free one. Throws PortRefusal when there is none. */
  next(): number;
  /** What is not in the range is let go silently. */
  release(port: number): void;
  /** The ports in use afterwards; undefined: none changed hands. */
  result(): ReadonlySet<number> | undefined;
}

export function startClaims(used: ReadonlySet<number>, { first, last }: PortRange, random: RandomSource): PortClaims {
  const now = new Set(used);
  const released = new Set<number>();
  let changed = false;
  const take = (port: number): number => {
    now.add(port);
    changed = true;
    return port;
  };
  return {
    claim(port) {
      if (port < first || port > last)
        throw new PortRefusal(`provided port is not in the valid range. The range of valid ports is ${first}-${last}`);
      if (now.has(port)) throw new PortRefusal("provided port is already allocated");
      take(port);
    },
    next() {
      const middle = first + reserved(last - first + 1);
      const port = freeIn(now, middle, last, random) ?? freeIn(now, first, middle - 1, random);
      if (port === undefined) throw new PortRefusal("range is full");
      return take(port);
    },
    release: (port) => void released.add(port),
    result() {
      // Only afterwards: what is given back is not given out again by the same write.
      for (const port of released) changed = now.delete(port) || changed;
      return changed ? now : undefined;
    },
  };
}

/** A dry run gives out ports that nobody can have, so that nobody relies on them. */
export function startDryClaims(used: ReadonlySet<number>): PortClaims {
  const claimed = new Set<number>();
  let last = 0;
  const take = (port: number): void => {
    claimed.add(port);
    last = Math.max(last, port);
  };
  return {
    claim(port) {
      if (used.has(port) || claimed.has(port)) throw new PortRefusal("provided port is already allocated");
      take(port);
    },
    next() {
      const port = (claimed.size === 0 ? 32768 : last) + 1;
      take(port);
      return port;
    },
    release: () => {},
    result: () => undefined,
  };
}

/** Low ports are left to those who ask for one by name, as long as others are free: a 32nd, but no less than 16 and no more than 128. */
const reserved = (size: number): number => (size <= 16 ? 0 : Math.min(Math.max(16, Math.floor(size / 32)), 128));

function freeIn(used: ReadonlySet<number>, first: number, last: number, random: RandomSource): number | undefined {
  const size = last - first + 1;
  if (size <= 0) return undefined;
  const start = randomInt(size, random);
  for (let step = 0; step < size; step++) {
    const port = first + ((start + step) % size);
    if (!used.has(port)) return port;
  }
  return undefined;
}
