import type { DeepReadonly } from "@coxswain/api";
import type { PersistentVolume, PersistentVolumeClaim } from "@coxswain/api/core/v1";
import type { StorageClass } from "@coxswain/api/storage/v1";

/** As caches hold them. */
export type CachedVolume = DeepReadonly<PersistentVolume>;
export type CachedClaim = DeepReadonly<PersistentVolumeClaim>;
export type CachedClass = DeepReadonly<StorageClass>;

/** For references in events. */
export const claimKind = { group: "", version: "v1", kind: "PersistentVolumeClaim" };
export const volumeKind = { group: "", version: "v1", kind: "PersistentVolume" };
