import type { Deployment } from "@coxswain/api/apps/v1";

/** Whether all replicas are available and of this generation: the one before may still be available while it is replaced. */
export function isRolledOut(deployment: object | undefined): boolean {
  const { metadata, spec, status } = (deployment ?? {}) as Deployment;
  if (!status || (status.observedGeneration ?? 0) < (metadata?.generation ?? 0)) return false;
  const wanted = spec?.replicas ?? 1;
  return (status.updatedReplicas ?? 0) >= wanted && (status.availableReplicas ?? 0) >= wanted;
}
