import type { PersistentVolume } from "@coxswain/api/core/v1";
import { isNotFound } from "@coxswain/apimachinery/status";
import { withoutFinalizer } from "@coxswain/client/controller";
import type { RecordedEvent } from "@coxswain/client/events";
import type { WorkResult } from "@coxswain/client/queue";
import type { ControllerContext } from "../controller/controller.js";
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

export interface SyncVolumeDeps {
  readonly context: ControllerContext;
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
export function createVolumeSync(deps: SyncVolumeDeps): (volume: CachedVolume) => Promise<WorkResult> {
  const { context, writes } = deps;
  const { client } = context;
  const recorder = context.recorder("persistentvolume-controller");
  const record = (volume: CachedVolume, event: RecordedEvent): void =>
    recorder.event(referenceOf(volume, volumeKind), event);
  const claimKeyOf = ({ spec }: CachedVolume): string => `${spec?.claimRef?.namespace}/${spec?.claimRef?.name}`;

  /** The claim that the volume names. Only the server's word counts for its absence: what follows may destroy data. */
  async function claimOf(volume: CachedVolume): Promise<CachedClaim | undefined> {
    const { uid, namespace = "", name = "" } = volume.spec?.claimRef ?? {};
    if (!uid) return undefined;
    const cached = deps.claimByKey(claimKeyOf(volume));
    if (cached?.metadata?.uid === uid) return cached;
    const isKnownToBeGone = volume.status?.phase === "Released" || volume.status?.phase === "Failed";
    if (!cached && isKnownToBeGone) return undefined;
    const live = await client.core.v1
      .persistentvolumeclaims(namespace)
      .get(name)
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
        return undefined;
      });
    return live?.metadata?.uid === uid ? live : undefined;
  }

  /** Once: a volume that has failed already stays as it is. */
  async function fail(volume: CachedVolume, event: RecordedEvent): Promise<WorkResult> {
    if (volume.status?.phase !== "Failed") record(await writes.phase(volume, "Failed", event.message), event);
    return { requeueAfterMs: deps.retryMs };
  }

  async function reclaim(volume: CachedVolume): Promise<WorkResult> {
    const plan = planReclaim(volume);
    switch (plan.kind) {
      case "keep":
        return;
      case "fail":
        return fail(volume, plan.event);
      case "recycle":
        return recycle(volume);
      case "delete":
        return deleteStorage(volume);
    }
  }

  async function recycle(volume: CachedVolume): Promise<WorkResult> {
    const current = await live(volume);
    if (!current) return;
    const pods = deps.podsUsing(claimKeyOf(volume));
    if (pods.length > 0 && !deps.claimByKey(claimKeyOf(volume))) {
      const message = `Volume is used by pods: ${pods.join(",")}`;
      record(volume, { type: "Normal", reason: "VolumeFailedRecycle", message });
      return { requeueAfterMs: deps.retryMs };
    }
    const step = await deps.recycler.step(current, (event) => record(current, event));
    if (step.kind === "running") return;
    if (step.kind === "failed")
      return fail(current, { type: "Warning", reason: "VolumeFailedRecycle", message: step.message });
    record(current, { type: "Normal", reason: "VolumeRecycled", message: "Volume recycled" });
    await unbind(writes, current);
  }

  async function deleteStorage(volume: CachedVolume): Promise<WorkResult> {
    const deleter = deleterOf(volume);
    if (deleter.kind === "external") return;
    const failed = (message: string): Promise<WorkResult> =>
      fail(volume, { type: "Warning", reason: "VolumeFailedDelete", message });
    if (deleter.kind === "unknown") return failed(deleter.message);
    if (!(await live(volume))) return;
    try {
      await deps.hostPaths.remove(deleter.path);
    } catch (error) {
      deps.metrics.failed(hostPathPlugin, "delete");
      return failed(messageOf(error));
    }
    const current = await live(volume);
    if (!current) return;
    const finalizers = withoutFinalizer(current, inTreeDeletionFinalizer);
    if (finalizers.length !== (current.metadata?.finalizers ?? []).length)
      await writes.volume(current, { ...current, metadata: { ...current.metadata, finalizers } });
    await client.core.v1.persistentvolumes().delete(volume.metadata?.name ?? "");
  }

  /** The volume as the server has it, if it is still to be reclaimed. */
  async function live(volume: CachedVolume): Promise<PersistentVolume | undefined> {
    try {
      const current = await client.core.v1.persistentvolumes().get(volume.metadata?.name ?? "");
      return isReleased(current, deps.claimByKey(claimKeyOf(current))) ? current : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  return async (cached) => {
    const volume = await writes.volume(cached, migratedVolume(cached));
    const claim = await claimOf(volume);
    const plan = planVolume(volume, claim);
    switch (plan.kind) {
      case "phase":
        await writes.phase(volume, plan.phase);
        return;
      case "unbind":
        return unbind(writes, volume);
      case "wakeClaim":
        return deps.wakeClaim(claimKeyOf(volume));
      case "mismatch":
        record(volume, plan.onVolume);
        if (claim) recorder.event(referenceOf(claim, claimKind), plan.onClaim);
        return;
      case "reclaim": {
        const isReclaiming = volume.status?.phase === "Released" || volume.status?.phase === "Failed";
        return reclaim(isReclaiming ? volume : await writes.phase(volume, "Released"));
      }
    }
  };
}
