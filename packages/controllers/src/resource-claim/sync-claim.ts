import type { ResourceClaim } from "@coxswain/api/resource/v1";
import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { withoutFinalizer } from "@coxswain/client/controller";
import type { CachedPod } from "../pods/pod-state.js";
import { type CachedPodGroup, type CachedResourceClaim, isForGroup, isForPods } from "../resource-claims/claim-user.js";
import type { RecentUids } from "../resource-claims/recent-uids.js";
import { checkReservation, claimFinalizer, owningPod, planClaimSync } from "./plan-claim.js";

export interface ClaimSyncDeps {
  readonly client: Client;
  /** Consumers whose deletion was seen. */
  readonly deleted: RecentUids;
  readonly hasGroups: boolean;
  podByKey(key: string): CachedPod | undefined;
  groupByKey(key: string): CachedPodGroup | undefined;
}

type Reservation = NonNullable<NonNullable<CachedResourceClaim["status"]>["reservedFor"]>[number];

/** Takes reservations of consumers that are gone from a claim, gives its devices back, and deletes it when it was generated. */
export function createClaimSync(deps: ClaimSyncDeps): (claim: CachedResourceClaim) => Promise<void> {
  const { client, deleted } = deps;

  const liveUid = async (get: () => Promise<{ metadata?: { uid?: string } }>): Promise<string | undefined> => {
    try {
      return (await get()).metadata?.uid;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };

  /** A consumer that no cache has may be new: only the server knows that it is gone. */
  async function isKept(namespace: string, reservation: Reservation): Promise<boolean> {
    const { name, uid } = reservation;
    if (isForPods(reservation)) {
      const checked = checkReservation(reservation, deps.podByKey(`${namespace}/${name}`), deleted.has(uid));
      if (checked !== "ask") return checked === "keep";
      return (await liveUid(() => client.core.v1.pods(namespace).get(name))) === uid;
    }
    if (!deps.hasGroups || !isForGroup(reservation)) return true; // another controller's
    if (deleted.has(uid)) return false;
    const group = deps.groupByKey(`${namespace}/${name}`);
    if (group) return group.metadata?.uid === uid;
    return (await liveUid(() => client.scheduling.v1alpha2.podgroups(namespace).get(name))) === uid;
  }

  return async (claim) => {
    const { namespace = "", name = "" } = claim.metadata ?? {};
    const remaining: Reservation[] = [];
    for (const reservation of claim.status?.reservedFor ?? [])
      if (await isKept(namespace, reservation)) remaining.push(reservation);
    const owner = owningPod(claim);
    const plan = planClaimSync(claim, remaining, owner && deps.podByKey(`${namespace}/${owner.name}`));
    const claims = client.resource.v1.resourceclaims(namespace);
    let current = claim as ResourceClaim;
    if (plan.status) current = await claims.updateStatus({ ...current, status: plan.status });
    if (plan.isFinalizerRemoved) {
      const finalizers = withoutFinalizer(current, claimFinalizer);
      await claims.update({ ...current, metadata: { ...current.metadata, finalizers } });
    }
    if (!plan.isDeleted) return;
    await claims.delete(name).catch((error: unknown) => {
      if (!isNotFound(error)) throw error; // without its finalizer it is gone already
    });
  };
}
