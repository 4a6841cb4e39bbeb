import type { PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { splitObjectKey } from "@coxswain/apimachinery/meta";
import { isNotFound } from "@coxswain/apimachinery/status";
import { formatTime } from "@coxswain/apimachinery/time";
import { keyOf } from "@coxswain/client/informers";
import type { Controller, ControllerContext } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import type { CachedPod } from "../pods/pod-state.js";
import { isDeletionCandidate, needsProtectionWork, planProtection } from "../protection/plan.js";
import type { CachedClaim } from "../volumes/cached-volumes.js";
import { claimKeysOf, podClaimIndex, podsByClaim } from "../volumes/pod-claims.js";
import { blocksDeletion, countsAsUse, mayReleaseClaims, planUnused } from "./plan.js";

const finalizer = "kubernetes.io/pvc-protection";

type UsedBy = (pod: CachedPod, claim: CachedClaim) => boolean;

/** Keeps a PersistentVolumeClaim that is being deleted until no pod uses it. */
export const persistentVolumeClaimProtectionController: Controller = {
  name: "persistentvolumeclaim-protection-controller",
  aliases: ["pvc-protection"],
  serviceAccount: "pvc-protection-controller",
  start(context) {
    const { client, gates, informers } = context;
    const claims = informers.of("core", "v1", "persistentvolumeclaims");
    const pods = informers.of("core", "v1", "pods", { indexers: podsByClaim });
    const hasUnused = gates.enabled("PersistentVolumeClaimUnusedSinceTime");
    /** Names of claims by namespace. All that wait in a namespace share one list of its pods. */
    const waiting = new Map<string, Set<string>>();

    const loop = createReconcileLoop(context, { name: "pvcprotection", workers: 1, reconcile });
    const note = (namespace: string, name: string): void => {
      const names = waiting.get(namespace);
      if (names) names.add(name);
      else waiting.set(namespace, new Set([name]));
    };
    const wake = (key: string): void => {
      const { namespace, name } = splitObjectKey(key) ?? { namespace: "", name: "" };
      note(namespace, name);
      loop.queue.add(namespace);
    };
    const lacksCondition = ({ status }: CachedClaim): boolean =>
      hasUnused && !status?.conditions?.some(({ type }) => type === "Unused");
    const wakeClaim = (claim: CachedClaim): void => {
      if (needsProtectionWork(claim, finalizer) || lacksCondition(claim)) wake(keyOf(claim));
    };
    loop.handle(claims, { onAdd: wakeClaim, onUpdate: (_, claim) => wakeClaim(claim) });
    const wakeClaimsOf = (pod: CachedPod): void => {
      if (mayReleaseClaims(pod, { hasUnused })) for (const key of claimKeysOf(pod)) wake(key);
    };
    const wakeAllOf = (pod: CachedPod): void => {
      for (const key of claimKeysOf(pod)) wake(key);
    };
    loop.handle(pods, {
      onAdd: wakeClaimsOf,
      onUpdate(old, pod) {
        wakeClaimsOf(pod);
        if (old.metadata?.uid !== pod.metadata?.uid) wakeAllOf(old);
      },
      onDelete: wakeAllOf,
    });

    async function reconcile(namespace: string): Promise<void> {
      const names = waiting.get(namespace) ?? new Set();
      waiting.delete(namespace);
      const livePods = once(async () => (await client.core.v1.pods(namespace).list()).items);
      let failure: { readonly error: unknown } | undefined;
      for (const name of names)
        try {
          await protect(`${namespace}/${name}`, livePods);
        } catch (error) {
          note(namespace, name); // comes again with the namespace's next try
          failure ??= { error };
        }
      if (failure) throw failure.error;
    }

    async function protect(key: string, livePods: () => Promise<readonly CachedPod[]>): Promise<void> {
      let claim = claims.indexer.getByKey(key);
      if (!claim) return;
      // The cache may lag behind a pod that was just bound: only the server knows that there is none.
      const isUsed = async (held: CachedClaim, usedBy: UsedBy): Promise<boolean> =>
        pods.indexer.byIndex(podClaimIndex, key).some((pod) => usedBy(pod, held)) ||
        (await livePods()).some((pod) => usedBy(pod, held));
      if (hasUnused && !claim.metadata?.deletionTimestamp)
        claim = await writeUnused(context, claim, await isUsed(claim, countsAsUse));
      const isInUse = isDeletionCandidate(claim, finalizer) && (await isUsed(claim, blocksDeletion));
      const finalizers = planProtection(claim, finalizer, isInUse);
      if (!finalizers) return;
      const metadata = { ...(claim as PersistentVolumeClaim).metadata, finalizers };
      await client.core.v1
        .persistentvolumeclaims(claim.metadata?.namespace ?? "")
        .update({ ...(claim as PersistentVolumeClaim), metadata })
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
    }
    return loop;
  },
};

/** The claim as it is then. */
async function writeUnused(
  { client, runtime: { clock } }: ControllerContext,
  claim: CachedClaim,
  isUsed: boolean,
): Promise<CachedClaim> {
  const condition = planUnused(claim, isUsed, formatTime(clock.now()));
  if (!condition) return claim;
  const held = claim as PersistentVolumeClaim;
  const others = (held.status?.conditions ?? []).filter(({ type }) => type !== condition.type);
  return client.core.v1
    .persistentvolumeclaims(held.metadata?.namespace ?? "")
    .updateStatus({ ...held, status: { ...held.status, conditions: [...others, condition] } });
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
