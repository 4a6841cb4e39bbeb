import { wasGivenEmpty } from "@coxswain/apimachinery/json";
import type { StoredNode } from "./kind.js";

export function setNodeDefaults({ spec, status }: StoredNode): void {
  if (status.capacity && !status.allocatable && !wasGivenEmpty(status, "allocatable")) status.allocatable = { ...status.capacity };
  // The first range stands in a field of its own too, which was there first and wins.
  if (spec.podCIDR && spec.podCIDRs?.[0] !== spec.podCIDR) spec.podCIDRs = [spec.podCIDR];
  if (spec.podCIDRs?.[0]) spec.podCIDR = spec.podCIDRs[0];
}
