import { ownEntries } from "@coxswain/apimachinery/own";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import { type AllocatedDevices, deviceId, isAllocated } from "./allocated-devices.js";
import { addCapacities, type Capacities } from "./consumed-capacity.js";
import type { Device } from "./device-request.js";
import type { Pool } from "./pools.js";

/** What partitions of a pool's devices may still consume of what they share. */
export interface Counters {
  /** Answers false, and changes nothing, where too little is left. */
  consume(pool: Pool, device: Device): boolean;
  release(pool: Pool, device: Device): void;
}

export function createCounters(allocated: AllocatedDevices): Counters {
  const leftOf = new Map<Pool, ReadonlyMap<string, Capacities>>();

  function left(pool: Pool): ReadonlyMap<string, Capacities> {
    let sets = leftOf.get(pool);
    if (sets === undefined) {
      sets = new Map(
        [...pool.counterSets].map(([name, counters]) => [
          name,
          new Map([...counters].map(([counter, amount]) => [counter, parseQuantity(amount)])),
        ]),
      );
      leftOf.set(pool, sets);
      for (const { spec } of [...pool.slices, ...pool.otherSlices])
        for (const device of spec.devices ?? [])
          if (isAllocated(allocated, deviceId(pool.driver, pool.name, device.name))) change(sets, device, -1);
    }
    return sets;
  }

  const isShort = (sets: ReadonlyMap<string, Capacities>): boolean => {
    for (const counters of sets.values()) for (const amount of counters.values()) if (amount.sign < 0) return true;
    return false;
  };

  return {
    consume(pool, device) {
      const sets = left(pool);
      change(sets, device, -1);
      if (!isShort(sets)) return true;
      change(sets, device, 1);
      return false;
    },
    release: (pool, device) => change(left(pool), device, 1),
  };
}

function change(sets: ReadonlyMap<string, Capacities>, { consumesCounters = [] }: Device, sign: 1 | -1): void {
  for (const { counterSet, counters } of consumesCounters) {
    const amounts = sets.get(counterSet);
    if (amounts)
      addCapacities(
        amounts,
        new Map(ownEntries(counters).map(([name, { value }]) => [name, parseQuantity(value)])),
        sign,
      );
  }
}
