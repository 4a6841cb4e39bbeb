import { ownEntries } from "@coxswain/apimachinery/own";
import { parseQuantity, type Quantity } from "@coxswain/apimachinery/quantity";
import type { PodSpec } from "../gen/types/core-v1.js";
import type { DeepReadonly } from "../types/index.js";

type Resources = {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
};
type Sums = Map<string, Quantity>;

const zero = parseQuantity("0");

/** Only these decide the class. */
const computeResources = new Set(["cpu", "memory"]);

/** How the node treats the pod when it runs short: Guaranteed (limits equal requests), Burstable, BestEffort (neither). */
export function qosClass(spec: DeepReadonly<PodSpec>): "Guaranteed" | "Burstable" | "BestEffort" {
  const requests: Sums = new Map();
  const limits: Sums = new Map();
  let guaranteed = true;
  const holders: readonly Resources[] = spec.resources
    ? [spec.resources as Resources]
    : [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(
        (container) => (container.resources ?? {}) as Resources,
      );
  for (const { requests: asked, limits: allowed } of holders) {
    add(requests, asked);
    const limited = add(limits, allowed);
    // Pod-level resources without limits leave the question to the sums below.
    if (limited < computeResources.size && (!spec.resources || limited > 0)) guaranteed = false;
  }
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  const equal = [...requests].every(([name, quantity]) => limits.get(name)?.compare(quantity) === 0);
  return guaranteed && equal && requests.size === limits.size ? "Guaranteed" : "Burstable";
}

/** Adds what counts, and answers how many resources did. */
function add(sums: Sums, list: Readonly<Record<string, string>> | undefined): number {
  let counted = 0;
  for (const [name, text] of ownEntries(list)) {
    if (!computeResources.has(name)) continue;
    const quantity = parseQuantity(text);
    if (quantity.compare(zero) <= 0) continue;
    counted++;
    sums.set(name, sums.get(name)?.add(quantity) ?? quantity);
  }
  return counted;
}
