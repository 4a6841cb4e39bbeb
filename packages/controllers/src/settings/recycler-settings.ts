import type { Pod } from "@coxswain/api/core/v1";

/** How long a pod that empties a volume may take: --pv-recycler-minimum-timeout-*, --pv-recycler-*increment*. */
export interface RecyclerTimeouts {
  /** In seconds. */
  readonly minimum: number;
  /** In seconds for each Gi of capacity. */
  readonly increment: number;
}

export interface RecyclerSettings {
  /** @default at least 60 s, 30 s for each Gi */
  readonly hostPath?: RecyclerTimeouts;
  /** @default at least 300 s, 30 s for each Gi */
  readonly nfs?: RecyclerTimeouts;
  /** --pv-recycler-pod-template-filepath-hostpath: has at least one volume, whose source is replaced. */
  readonly hostPathTemplate?: Pod;
  /** --pv-recycler-pod-template-filepath-nfs. */
  readonly nfsTemplate?: Pod;
}
