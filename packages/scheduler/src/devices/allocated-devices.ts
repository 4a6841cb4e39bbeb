import { ownEntries } from "@coxswain/apimachinery/own";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import type { ResourceClaim } from "../framework/cluster-objects.js";
import { addCapacities, type Capacities } from "./consumed-capacity.js";

/** Devices that claims have, by "driver/pool/device". */
export interface AllocatedDevices {
  /** Those that one claim has for itself. */
  readonly dedicated: ReadonlySet<string>;
  /** What claims have of devices that they share. */
  readonly shared: ReadonlyMap<string, ReadonlyMap<string, ReturnType<typeof parseQuantity>>>;
}

export const deviceId = (driver: string, pool: string, device: string): string => `${driver}/${pool}/${device}`;

export const isAllocated = ({ dedicated, shared }: AllocatedDevices, id: string): boolean =>
  dedicated.has(id) || shared.has(id);

export function allocatedDevices(claims: Iterable<ResourceClaim>): AllocatedDevices {
  const dedicated = new Set<string>();
  const shared = new Map<string, Capacities>();
  for (const { status } of claims)
    for (const { driver, pool, device, adminAccess, shareID, consumedCapacity } of status?.allocation?.devices
      ?.results ?? []) {
      if (adminAccess) continue;
      const id = deviceId(driver, pool, device);
      if (shareID === undefined) dedicated.add(id);
      else {
        const taken = shared.get(id) ?? new Map();
        shared.set(id, taken);
        addCapacities(
          taken,
          new Map(ownEntries(consumedCapacity).map(([name, amount]) => [name, parseQuantity(amount)])),
          1,
        );
      }
    }
  return { dedicated, shared };
}
