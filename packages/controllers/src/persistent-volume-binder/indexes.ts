import type { Indexers } from "@coxswain/client/informers";
import type { CachedClaim, CachedVolume } from "../volumes/cached-volumes.js";
import { classOfClaim, classOfVolume } from "../volumes/storage-class.js";

/** Keys of claims by the volume that they name; of claims that name none, by class. */
export const claimsByVolume = "spec.volumeName";
export const unboundClaimsByClass = "unboundByStorageClass";

export const claimIndexers: Indexers<CachedClaim> = {
  [claimsByVolume]: ({ spec }) => (spec?.volumeName ? [spec.volumeName] : []),
  [unboundClaimsByClass]: (claim) => (claim.spec?.volumeName ? [] : [classOfClaim(claim)]),
};

/** Volumes by the claim that they name; those that name none, by class. */
export const volumesByClaim = "spec.claimRef";
export const freeVolumesByClass = "freeByStorageClass";

export const volumeIndexers: Indexers<CachedVolume> = {
  [volumesByClaim]: ({ spec }) => (spec?.claimRef ? [`${spec.claimRef.namespace}/${spec.claimRef.name}`] : []),
  [freeVolumesByClass]: (volume) => (volume.spec?.claimRef ? [] : [classOfVolume(volume)]),
};
