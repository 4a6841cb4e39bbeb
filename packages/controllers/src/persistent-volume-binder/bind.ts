import type { PersistentVolume, PersistentVolumeClaim, PersistentVolumePhase } from "@coxswain/api/core/v1";
import type { Client } from "@coxswain/client";
import { keyOf } from "@coxswain/client/informers";
import type { CachedClaim, CachedVolume } from "../volumes/cached-volumes.js";
import type { NewestObjects } from "../volumes/newest-objects.js";
import { boundClaim, boundClaimStatus, boundVolume, unboundVolume } from "./changes.js";

/** The binder's writes. Each answers the object as it is then and is remembered until the cache has it. */
export interface BinderWrites {
  /** Undefined stands for "as it is", as the pure changes answer. */
  claim(claim: CachedClaim, changed: PersistentVolumeClaim | undefined): Promise<CachedClaim>;
  claimStatus(claim: CachedClaim, changed: PersistentVolumeClaim | undefined): Promise<CachedClaim>;
  volume(volume: CachedVolume, changed: PersistentVolume | undefined): Promise<CachedVolume>;
  /** Does nothing where the volume is in that phase. */
  phase(volume: CachedVolume, phase: PersistentVolumePhase, message?: string): Promise<CachedVolume>;
}

export function createBinderWrites(
  client: Client,
  newest: { readonly claims: NewestObjects<CachedClaim>; readonly volumes: NewestObjects<CachedVolume> },
): BinderWrites {
  const rememberClaim = (claim: CachedClaim): CachedClaim => {
    newest.claims.wrote(keyOf(claim), claim);
    return claim;
  };
  const rememberVolume = (volume: CachedVolume): CachedVolume => {
    newest.volumes.wrote(keyOf(volume), volume);
    return volume;
  };
  const claimsOf = (claim: CachedClaim) => client.core.v1.persistentvolumeclaims(claim.metadata?.namespace ?? "");
  return {
    claim: async (claim, changed) => (changed ? rememberClaim(await claimsOf(claim).update(changed)) : claim),
    claimStatus: async (claim, changed) =>
      changed ? rememberClaim(await claimsOf(claim).updateStatus(changed)) : claim,
    volume: async (volume, changed) =>
      changed ? rememberVolume(await client.core.v1.persistentvolumes().update(changed)) : volume,
    async phase(volume, phase, message) {
      const held = volume as PersistentVolume;
      if (held.status?.phase === phase) return volume;
      const { message: _, ...status } = held.status ?? {};
      return rememberVolume(
        await client.core.v1
          .persistentvolumes()
          .updateStatus({ ...held, status: { ...status, phase, ...(message && { message }) } }),
      );
    },
  };
}

/** Four writes, the volume's first: a claim that is bound must not find that its volume was given away. */
export async function bind(writes: BinderWrites, volume: CachedVolume, claim: CachedClaim): Promise<void> {
  const named = await writes.volume(volume, boundVolume(volume, claim));
  const bound = await writes.phase(named, "Bound");
  const complete = await writes.claim(claim, boundClaim(claim, bound.metadata?.name ?? ""));
  await writes.claimStatus(complete, boundClaimStatus(complete, bound));
}

export async function unbind(writes: BinderWrites, volume: CachedVolume): Promise<void> {
  await writes.phase(await writes.volume(volume, unboundVolume(volume)), "Available");
}
