import { parseTimeMs } from "@coxswain/apimachinery/time";
import type { ResourceClaim } from "../../framework/cluster-objects.js";

/** Whether what drivers have to do before a pod is bound is done. */
export type BindingReadiness = { readonly ready: boolean; readonly failure?: string };

const resultsOf = (claim: ResourceClaim) => claim.status?.allocation?.devices?.results ?? [];

export const hasBindingConditions = (claim: ResourceClaim): boolean =>
  resultsOf(claim).some(({ bindingConditions }) => (bindingConditions?.length ?? 0) > 0);

export function bindingReadiness(claim: ResourceClaim): BindingReadiness {
  if (claim.status?.allocation === undefined) return { ready: false };
  for (const { driver, pool, device, bindingConditions = [], bindingFailureConditions = [] } of resultsOf(claim)) {
    if (bindingConditions.length === 0) continue;
    const status = claim.status.devices?.find(
      (one) => one.driver === driver && one.pool === pool && one.device === device,
    );
    if (status === undefined) return { ready: false };
    const isTrue = (type: string) => status.conditions?.find((one) => one.type === type && one.status === "True");
    for (const type of bindingFailureConditions) {
      const failed = isTrue(type);
      if (failed)
        return {
          ready: false,
          failure: `device binding failed: claim=${claim.metadata?.name}, reason=${failed.reason}, message="${failed.message}"`,
        };
    }
    if (!bindingConditions.every(isTrue)) return { ready: false };
  }
  return { ready: true };
}

/** Whether the drivers have had their time. */
export function isBindingLate(claim: ResourceClaim, now: number, timeoutMs: number): boolean {
  const allocatedAt = parseTimeMs(claim.status?.allocation?.allocationTimestamp ?? "");
  return allocatedAt !== undefined && hasBindingConditions(claim) && allocatedAt + timeoutMs < now;
}
