import { type CostEstimator } from "../declarations/estimate.js";
import {
  type DeclaredType,
  declaredBool,
  declaredMap,
  declaredNamed,
  declaredString,
  simpleDeclared,
} from "../kubernetes/declared-type.js";
import { quantityType } from "../kubernetes/quantity.js";
import { anyType, dynType } from "../types/type.js";

/** Limits of the API on what a driver publishes about a device: lengths of names and values in bytes, and how many there are. */
const longest = { driver: 63, domain: 63, id: 32, value: 64 } as const;
const mostAttributes = 32;
/** The most values of all list attributes of a device. */
export const mostListValues = 48;

export interface DeviceFeatures {
  /** `device.allowMultipleAllocations`: the gate DRAConsumableCapacity. @default true */
  readonly consumableCapacity?: boolean;
  /** Attributes that are lists, and includes(): the gate DRAListTypeAttributes. @default false */
  readonly listAttributes?: boolean;
}

/** The type of `device`. Attributes are of any type that an attribute may have: it shows at run time. */
export function createDeviceType({ consumableCapacity = true, listAttributes = false }: DeviceFeatures): DeclaredType {
  // Whether an attribute is a list is not known beforehand, and only dyn can be iterated over.
  const attribute = listAttributes
    ? simpleDeclared(dynType, 1, Math.max(longest.value, mostListValues))
    : simpleDeclared(anyType, 1, longest.value);
  const byDomain = (element: DeclaredType): DeclaredType =>
    withKey(declaredMap(withKey(declaredMap(element, mostAttributes), longest.id), mostAttributes), longest.domain);
  return declaredNamed("kubernetes.DRADevice", {
    driver: declaredString(longest.driver),
    attributes: byDomain(attribute),
    capacity: byDomain(simpleDeclared(quantityType, 8)),
    // Upstream gives it a size of 1 for the sake of estimates.
    ...(consumableCapacity && { allowMultipleAllocations: { ...declaredBool, maxElements: 1 } }),
  });
}

const withKey = (map: DeclaredType, keyBytes: number): DeclaredType => ({ ...map, key: declaredString(keyBytes) });

/** Sizes of what is reached from `device`. Attributes have the same bound whatever they are called. */
export function deviceSizes(device: DeclaredType): CostEstimator {
  const attributes = device.fields?.get("attributes")?.element;
  const step = (at: DeclaredType | undefined, part: string): DeclaredType | undefined => {
    switch (part) {
      case "@items":
      case "@values":
        return at?.element;
      case "@keys":
        return at?.key;
      default:
        return at === attributes ? attributes?.element : at?.fields?.get(part);
    }
  };
  return {
    estimateSize({ path }) {
      if (path[0] !== "device") return undefined;
      let at: DeclaredType | undefined = device;
      for (const part of path.slice(1)) at = step(at, part);
      return at && { min: 0n, max: BigInt(at.maxElements) };
    },
  };
}
