import { wasGivenEmpty } from "@coxswain/apimachinery/json";
import type { StoredNode } from "./stored.js";

export function setAllocatable(status: StoredNode["status"]): void {
  if (status.capacity && !status.allocatable) status.allocatable = { ...status.capacity };
}

export function setNodeDefaults({ spec, status }: StoredNode): void {
  if (!wasGivenEmpty(status, "allocatable")) setAllocatable(status);
  // The first range stands in a field of its own too, which was there first and wins.
  if (spec.podCIDR && spec.podCIDRs?.[0] !== spec.podCIDR) spec.podCIDRs = [spec.podCIDR];
  if (spec.podCIDRs?.[0]) spec.podCIDR = spec.podCIDRs[0];
}
