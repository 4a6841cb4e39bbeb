import type { PersistentVolume } from "@coxswain/api/core/v1";
import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { withoutFinalizer } from "@coxswain/client/controller";
import type { EventRecorder, RecordedEvent } from "@coxswain/client/events";
import type { WorkResult } from "@coxswain/client/queue";
import { messageOf, referenceOf } from "../pods/pod-control.js";
import type { HostPaths } from "../settings/host-paths.js";
import { inTreeDeletionFinalizer } from "../volumes/annotations.js";
import { type CachedClaim, type CachedVolume, claimKind, volumeKind } from "../volumes/cached-volumes.js";
import { type BinderWrites, unbind } from "./bind.js";
import { migratedVolume } from "./changes.js";
import type { BinderMetrics } from "./metrics.js";
import { isReleased, planReclaim, planVolume } from "./plan-volume.js";
import { deleterOf, hostPathPlugin } from "./plugins.js";
import type { Recycler } from "./recycle.js";

/** What the work on all volumes shares. */
export interface VolumeSync {
  readonly client: Client;
  readonly recorder: EventRecorder;
  readonly writes: BinderWrites;
  readonly hostPaths: HostPaths;
  readonly metrics: BinderMetrics;
  readonly recycler: Recycler;
  claimByKey(key: string): CachedClaim | undefined;
  /** Keys of pods that use the claim and have not stopped. */
  podsUsing(claimKey: string): readonly string[];
  wakeClaim(key: string): void;
  /** When a volume that could not be reclaimed is tried again. */
  readonly retryMs: number;
}

/** Gives a volume the phase that its claim implies, and reclaims it when that is gone. */
export async function syncVolume(sync: VolumeSync, cached: CachedVolume): Promise<WorkResult> {
  const volume = await sync.writes.volume(cached, migratedVolume(cached));
  const claim = await claimOf(sync, volume);
  const plan = planVolume(volume, claim);
  switch (plan.kind) {
    case "phase":
      await sync.writes.phase(volume, plan.phase);
      return;
    case "unbind":
      return unbind(sync.writes, volume);
    case "wakeClaim":
      return sync.wakeClaim(claimKeyOf(volume));
    case "mismatch":
      record(sync, volume, plan.onVolume);
      if (claim) sync.recorder.event(referenceOf(claim, claimKind), plan.onClaim);
      return;
    case "reclaim": {
      const isReclaiming = volume.status?.phase === "Released" || volume.status?.phase === "Failed";
      return reclaim(sync, isReclaiming ? volume : await sync.writes.phase(volume, "Released"));
    }
  }
}

const record = ({ recorder }: VolumeSync, volume: CachedVolume, event: RecordedEvent): void =>
  recorder.event(referenceOf(volume, volumeKind), event);

const claimKeyOf = ({ spec }: CachedVolume): string => `${spec?.claimRef?.namespace}/${spec?.claimRef?.name}`;

/** The claim that the volume names. Only the server's word counts for its absence: what follows may destroy data. */
async function claimOf(sync: VolumeSync, volume: CachedVolume): Promise<CachedClaim | undefined> {
  const { uid, namespace = "", name = "" } = volume.spec?.claimRef ?? {};
  if (!uid) return undefined;
  const cached = sync.claimByKey(claimKeyOf(volume));
  if (cached?.metadata?.uid === uid) return cached;
  const isKnownToBeGone = volume.status?.phase === "Released" || volume.status?.phase === "Failed";
  if (!cached && isKnownToBeGone) return undefined;
  const live = await sync.client.core.v1
    .persistentvolumeclaims(namespace)
    .get(name)
    .catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      return undefined;
    });
  return live?.metadata?.uid === uid ? live : undefined;
}

/** Once: a volume that has failed already stays as it is. */
async function fail(sync: VolumeSync, volume: CachedVolume, event: RecordedEvent): Promise<WorkResult> {
  if (volume.status?.phase !== "Failed") record(sync, await sync.writes.phase(volume, "Failed", event.message), event);
  return { requeueAfterMs: sync.retryMs };
}

async function reclaim(sync: VolumeSync, volume: CachedVolume): Promise<WorkResult> {
  const plan = planReclaim(volume);
  switch (plan.kind) {
    case "keep":
      return;
    case "fail":
      return fail(sync, volume, plan.event);
    case "recycle":
      return recycle(sync, volume);
    case "delete":
      return deleteStorage(sync, volume);
  }
}

async function recycle(sync: VolumeSync, volume: CachedVolume): Promise<WorkResult> {
  const current = await live(sync, volume);
  if (!current) return;
  const pods = sync.podsUsing(claimKeyOf(volume));
  if (pods.length > 0 && !sync.claimByKey(claimKeyOf(volume))) {
    const message = `Volume is used by pods: ${pods.join(",")}`;
    record(sync, volume, { type: "Normal", reason: "VolumeFailedRecycle", message });
    return { requeueAfterMs: sync.retryMs };
  }
  const step = await sync.recycler.step(current, (event) => record(sync, current, event));
  if (step.kind === "running") return;
  if (step.kind === "failed")
    return fail(sync, current, { type: "Warning", reason: "VolumeFailedRecycle", message: step.message });
  record(sync, current, { type: "Normal", reason: "VolumeRecycled", message: "Volume recycled" });
  await unbind(sync.writes, current);
}

async function deleteStorage(sync: VolumeSync, volume: CachedVolume): Promise<WorkResult> {
  const deleter = deleterOf(volume);
  if (deleter.kind === "external") return;
  const failed = (message: string): Promise<WorkResult> =>
    fail(sync, volume, { type: "Warning", reason: "VolumeFailedDelete", message });
  if (deleter.kind === "unknown") return failed(deleter.message);
  if (!(await live(sync, volume))) return;
  try {
    await sync.hostPaths.remove(deleter.path);
  } catch (error) {
    sync.metrics.failed(hostPathPlugin, "delete");
    return failed(messageOf(error));
  }
  const current = await live(sync, volume);
  if (!current) return;
  const finalizers = withoutFinalizer(current, inTreeDeletionFinalizer);
  if (finalizers.length !== (current.metadata?.finalizers ?? []).length)
    await sync.writes.volume(current, { ...current, metadata: { ...current.metadata, finalizers } });
  await sync.client.core.v1.persistentvolumes().delete(volume.metadata?.name ?? "");
}

/** The volume as the server has it, if it is still to be reclaimed. */
async function live(sync: VolumeSync, volume: CachedVolume): Promise<PersistentVolume | undefined> {
  try {
    const current = await sync.client.core.v1.persistentvolumes().get(volume.metadata?.name ?? "");
    return isReleased(current, sync.claimByKey(claimKeyOf(current))) ? current : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
