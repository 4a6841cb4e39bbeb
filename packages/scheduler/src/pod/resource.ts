import { amountOf } from "@coxswain/api/pods";
import { ownEntries } from "@coxswain/apimachinery/own";

/** Amounts by resource name; CPU in thousandths of a core, everything else in whole units. */
export type Amounts = Map<string, number>;

/** The resources that scheduling looks at all the time, as plain numbers; any other by name. */
export interface Resource {
  milliCpu: number;
  memory: number;
  ephemeralStorage: number;
  /** How many pods a node takes. */
  pods: number;
  /** Extended resources, huge pages and the like; undefined while there is none. */
  scalar: Amounts | undefined;
}

export const emptyResource = (): Resource => ({
  milliCpu: 0,
  memory: 0,
  ephemeralStorage: 0,
  pods: 0,
  scalar: undefined,
});

export const copyResource = (from: Resource): Resource => ({
  milliCpu: from.milliCpu,
  memory: from.memory,
  ephemeralStorage: from.ephemeralStorage,
  pods: from.pods,
  scalar: from.scalar && new Map(from.scalar),
});

/** Adds `from`, `sign` times. */
export function addResource(to: Resource, from: Resource, sign: 1 | -1): void {
  to.milliCpu += sign * from.milliCpu;
  to.memory += sign * from.memory;
  to.ephemeralStorage += sign * from.ephemeralStorage;
  if (from.scalar === undefined) return;
  to.scalar ??= new Map();
  for (const [name, amount] of from.scalar) to.scalar.set(name, (to.scalar.get(name) ?? 0) + sign * amount);
}

/** Fractions are rounded up here and nowhere before: sums stay exact. */
export function resourceOf(amounts: ReadonlyMap<string, number>): Resource {
  const resource = emptyResource();
  for (const [name, fraction] of amounts) {
    const amount = Math.ceil(fraction);
    if (name === "cpu") resource.milliCpu = amount;
    else if (name === "memory") resource.memory = amount;
    else if (name === "ephemeral-storage") resource.ephemeralStorage = amount;
    else if (name === "pods") resource.pods = amount;
    else if (isScalarResourceName(name)) (resource.scalar ??= new Map()).set(name, amount);
  }
  return resource;
}

/** The amounts of a ResourceList. */
export function amountsOf(list: Readonly<Record<string, string>> | undefined): Amounts {
  const amounts: Amounts = new Map();
  for (const [name, text] of ownEntries(list)) amounts.set(name, amountOf(name, text));
  return amounts;
}

/** A resource named by its owner's domain. */
export const isExtendedResourceName = (name: string): boolean =>
  name.includes("/") && !name.includes("kubernetes.io/") && !name.startsWith("requests.");

/** Whether the scheduler counts this resource by name. */
export const isScalarResourceName = (name: string): boolean =>
  isExtendedResourceName(name) ||
  name.startsWith("hugepages-") ||
  name.includes("kubernetes.io/") ||
  name.startsWith("attachable-volumes-");
