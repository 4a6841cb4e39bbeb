import type { DeepReadonly } from "@coxswain/api";
import type { StatefulSetStatus } from "@coxswain/api/apps/v1";
import type { Pod } from "@coxswain/api/core/v1";
import { scaledValue } from "@coxswain/apimachinery/int-or-string";
import { type CachedPod, isBeingDeleted, isPodAvailable, isPodReady, isPodTerminal } from "../pods/pod-state.js";
import { type CachedClaim, isRetentionRight, isStale } from "./claim-retention.js";
import {
  type CachedStatefulSet,
  claimName,
  hasIdentity,
  hasStorage,
  isInRange,
  newPod,
  ordinalOf,
  replicasOf,
  revisionOf,
  startOrdinal,
} from "./identity.js";

/** One write. */
export type Step =
  | { readonly do: "create"; readonly pod: Pod }
  | { readonly do: "delete"; readonly pod: CachedPod }
  /** Of a pending pod: claims that are missing. */
  | { readonly do: "create claims"; readonly pod: CachedPod }
  /** Identity, storage and the claims' owners. */
  | { readonly do: "update"; readonly pod: CachedPod }
  | { readonly do: "update claims"; readonly pod: CachedPod };

export interface StatefulSetPlan {
  /** One phase after the other; in a phase one list of steps per pod. After a failure nothing more is done. */
  readonly phases: readonly (readonly (readonly Step[])[])[];
  /** Whether pods are worked on one after the other. */
  readonly isOrdered: boolean;
  /** What is to be written when everything is done, and when something failed. */
  readonly status: StatefulSetStatus;
  readonly statusOnFailure: StatefulSetStatus;
}

export interface StatefulSetState {
  readonly set: CachedStatefulSet;
  /** The set with the template of its current revision, and with that of its update revision. */
  readonly current: { readonly set: CachedStatefulSet; readonly revision: string };
  readonly update: { readonly set: CachedStatefulSet; readonly revision: string };
  readonly collisionCount: number;
  readonly pods: readonly CachedPod[];
  /** From the cache, by name. */
  readonly claim: (name: string) => CachedClaim | undefined;
  /** In milliseconds. */
  readonly now: number;
  /** Whether more than one pod may be unavailable during an update. */
  readonly hasMaxUnavailable: boolean;
}

/**
 * Pure: the next writes. Replicas first, in the order of their ordinals; then those that are too many, the highest first; then
 * those of another revision. A set that is not parallel waits at each pod until it is available.
 */
export function planStatefulSet(state: StatefulSetState): StatefulSetPlan {
  const { set, pods, now } = state;
  const isOrdered = set.spec?.podManagementPolicy !== "Parallel";
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod), pod]));
  const start = startOrdinal(set);
  const replicas = Array.from({ length: replicasOf(set) }, (_, index) => byOrdinal.get(start + index));
  const condemned = pods
    .filter((pod) => ordinalOf(pod) >= 0 && !isInRange(set, ordinalOf(pod)))
    .sort((a, b) => ordinalOf(b) - ordinalOf(a));
  const counted = [...replicas.filter((pod) => pod !== undefined), ...condemned];
  const status = planStatus(state, set.metadata?.deletionTimestamp ? pods : counted);
  const phases: (readonly (readonly Step[])[])[] = [];
  const plan = (updated = 0): StatefulSetPlan => ({
    phases,
    isOrdered,
    status: complete(set, { ...status, currentReplicas: (status.currentReplicas ?? 0) - updated }),
    statusOnFailure: complete(set, status),
  });
  if (set.metadata?.deletionTimestamp) return plan();

  const living = collect(isOrdered, replicas, (pod, index) => planReplica(state, pod, start + index, isOrdered));
  phases.push(living.units);
  if (living.isBlocked) return plan();
  phases.push(
    condemned
      .filter((pod) => !areClaimsRight(state, state.update.set, pod))
      .map((pod) => [{ do: "update claims", pod }]),
  );
  const unavailable = (pod: CachedPod): boolean => isUnavailable(set, pod, now);
  const firstUnavailable = [...replicas, ...[...condemned].reverse()].find((pod) => pod && unavailable(pod));
  const leaving = collect(isOrdered, condemned, (pod) => planCondemned(set, pod, firstUnavailable, isOrdered, now));
  phases.push(leaving.units);
  if (leaving.isBlocked || set.spec?.updateStrategy?.type === "OnDelete") return plan();
  const outdated = planUpdates(state, replicas);
  phases.push(outdated.map((pod) => [{ do: "delete", pod }]));
  return plan(outdated.length);
}

interface Unit {
  readonly steps: readonly Step[];
  /** Nothing behind this pod is worked on now. */
  readonly blocks: boolean;
}

function collect<T>(
  isOrdered: boolean,
  pods: readonly T[],
  decide: (pod: T, index: number) => Unit,
): { readonly units: readonly (readonly Step[])[]; readonly isBlocked: boolean } {
  const units: (readonly Step[])[] = [];
  for (const [index, pod] of pods.entries()) {
    const { steps, blocks } = decide(pod, index);
    if (steps.length > 0) units.push(steps);
    if (blocks && isOrdered) return { units, isBlocked: true };
  }
  return { units, isBlocked: false };
}

function planReplica(state: StatefulSetState, pod: CachedPod | undefined, ordinal: number, isOrdered: boolean): Unit {
  const { set, update, now } = state;
  if (!pod) {
    const created = versionedPod(state, ordinal);
    // Its claims belong to its predecessor and go with it: the pod must not use them.
    if (hasStaleClaims(state, created)) return { steps: [], blocks: true };
    return { steps: [{ do: "create", pod: created }], blocks: true };
  }
  if (isPodTerminal(pod)) return { steps: isBeingDeleted(pod) ? [] : [{ do: "delete", pod }], blocks: true };
  const steps: Step[] = pod.status?.phase === "Pending" && hasClaims(set) ? [{ do: "create claims", pod }] : [];
  const isSteady =
    !isBeingDeleted(pod) && isRunningAndReady(pod) && isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, now);
  if (!isSteady && isOrdered) return { steps, blocks: true };
  const isRight = hasIdentity(set, pod) && hasStorage(set, pod) && areClaimsRight(state, update.set, pod);
  return { steps: isRight ? steps : [...steps, { do: "update", pod }], blocks: false };
}

function planCondemned(
  set: CachedStatefulSet,
  pod: CachedPod,
  firstUnavailable: CachedPod | undefined,
  isOrdered: boolean,
  now: number,
): Unit {
  if (isBeingDeleted(pod)) return { steps: [], blocks: true };
  const isSteady = isRunningAndReady(pod) && isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, now);
  if (isOrdered && !isSteady && pod !== firstUnavailable) return { steps: [], blocks: true };
  return { steps: [{ do: "delete", pod }], blocks: true };
}

/** Pods of another revision than the update's, from the highest ordinal down to the partition. */
function planUpdates(state: StatefulSetState, replicas: readonly (CachedPod | undefined)[]): CachedPod[] {
  const { set, update, now, hasMaxUnavailable } = state;
  const rolling = set.spec?.updateStrategy?.rollingUpdate;
  const candidates = [...replicas].slice(rolling?.partition ?? 0).reverse();
  const isOutdated = (pod: CachedPod | undefined): pod is CachedPod =>
    pod !== undefined && revisionOf(pod) !== update.revision && !isBeingDeleted(pod);
  const unavailable = (pod: CachedPod | undefined): boolean => !pod || isUnavailable(set, pod, now);
  if (hasMaxUnavailable) {
    const most = Math.max(1, scaledValue(rolling?.maxUnavailable ?? 1, { total: replicasOf(set) }));
    return candidates.filter(isOutdated).slice(0, Math.max(0, most - replicas.filter(unavailable).length));
  }
  // One at a time, and only when those behind it are available again.
  for (const pod of candidates) {
    if (isOutdated(pod)) return [pod];
    if (unavailable(pod)) return [];
  }
  return [];
}

/** Below the partition, or below as many as are current, the current revision; else the update's. */
function versionedPod({ set, current, update }: StatefulSetState, ordinal: number): Pod {
  const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
  const isCurrent = rollingUpdate
    ? ordinal < startOrdinal(set) + (rollingUpdate.partition ?? 0)
    : type === "RollingUpdate" && ordinal < startOrdinal(set) + (set.status?.currentReplicas ?? 0);
  const version = isCurrent ? current : update;
  return newPod(version.set, ordinal, version.revision);
}

const hasClaims = ({ spec }: CachedStatefulSet): boolean => (spec?.volumeClaimTemplates ?? []).length > 0;

const claimsOfPod = ({ set, claim }: StatefulSetState, pod: CachedPod): CachedClaim[] =>
  (set.spec?.volumeClaimTemplates ?? [])
    .map(({ metadata }) => claim(claimName(set, metadata?.name ?? "", ordinalOf(pod))))
    .filter((found) => found !== undefined);

const areClaimsRight = (state: StatefulSetState, set: CachedStatefulSet, pod: CachedPod): boolean =>
  claimsOfPod(state, pod).every((claim) => isRetentionRight(claim, set, pod));

const hasStaleClaims = (state: StatefulSetState, pod: CachedPod): boolean =>
  state.set.spec?.persistentVolumeClaimRetentionPolicy?.whenScaled === "Delete" &&
  claimsOfPod(state, pod).some((claim) => isStale(claim, pod));

const isRunningAndReady = (pod: CachedPod): boolean => pod.status?.phase === "Running" && isPodReady(pod);

const isUnavailable = (set: CachedStatefulSet, pod: CachedPod, now: number): boolean =>
  !isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, now) || isBeingDeleted(pod);

function planStatus(state: StatefulSetState, pods: readonly CachedPod[]): StatefulSetStatus {
  const { set, current, update, collisionCount, now } = state;
  const ready = pods.filter(isRunningAndReady);
  const staying = pods.filter((pod) => !isBeingDeleted(pod));
  return {
    observedGeneration: set.metadata?.generation ?? 0,
    replicas: pods.length,
    readyReplicas: ready.length,
    currentReplicas: staying.filter((pod) => revisionOf(pod) === current.revision).length,
    updatedReplicas: staying.filter((pod) => revisionOf(pod) === update.revision).length,
    currentRevision: current.revision,
    updateRevision: update.revision,
    collisionCount,
    availableReplicas: ready.filter((pod) => isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, now)).length,
  };
}

/** An update that has reached every pod is over: its revision is the current one. */
function complete(set: CachedStatefulSet, status: StatefulSetStatus): StatefulSetStatus {
  const { updatedReplicas = 0, updateRevision = "" } = status;
  const isComplete =
    set.spec?.updateStrategy?.type === "RollingUpdate" &&
    [updatedReplicas, status.readyReplicas ?? 0, status.replicas].every((count) => count === replicasOf(set));
  return isComplete ? { ...status, currentReplicas: updatedReplicas, currentRevision: updateRevision } : status;
}

/** Whether the status must be written. */
export function isStatusNew(before: DeepReadonly<StatefulSetStatus> | undefined, after: StatefulSetStatus): boolean {
  return (
    (after.observedGeneration ?? 0) > (before?.observedGeneration ?? 0) ||
    counts.some((count) => (before?.[count] ?? 0) !== (after[count] ?? 0)) ||
    revisions.some((revision) => (before?.[revision] ?? "") !== (after[revision] ?? ""))
  );
}

const counts = ["replicas", "currentReplicas", "readyReplicas", "updatedReplicas", "availableReplicas"] as const;
const revisions = ["currentRevision", "updateRevision"] as const;
