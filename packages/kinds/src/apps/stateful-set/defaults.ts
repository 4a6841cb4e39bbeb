import type { PersistentVolumeClaim } from "@coxswain/api/core/v1";
import type { StoredStatefulSet } from "./stored.js";

export function setStatefulSetDefaults({ spec }: StoredStatefulSet): void {
  spec.podManagementPolicy ||= "OrderedReady";
  const strategy = (spec.updateStrategy ??= {});
  if (!strategy.type) {
    strategy.type = "RollingUpdate";
    strategy.rollingUpdate ??= {};
  }
  if (strategy.rollingUpdate) strategy.rollingUpdate.partition ??= 0;
  const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {});
  retention.whenDeleted ||= "Retain";
  retention.whenScaled ||= "Retain";
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
}

/** The templates are claims in full, with kind and version whether or not they were written. */
export function setClaimTemplateDefaults(claim: PersistentVolumeClaim): void {
  claim.apiVersion = "v1";
  claim.kind = "PersistentVolumeClaim";
  claim.status ??= {};
  claim.status.phase ||= "Pending";
}
