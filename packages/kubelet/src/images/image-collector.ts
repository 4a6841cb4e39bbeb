import type { RecordedEvent } from "@coxswain/client/events";
import type { Clock } from "@coxswain/runtime/clock";
import type { ContainerRuntime, NodeStats } from "../runtime/container-runtime.js";
import type { ImagePolicy } from "./image-policy.js";
import {
  collectionOrder,
  type ImageUse,
  noteImages,
  planCollection,
  planRemoval,
  shortageText,
} from "./plan-collection.js";
import type { PullRecords } from "./pull-records.js";

/** Removes images that no container uses. */
export interface ImageCollector {
  /** Applies the policy. */
  collect(): Promise<void>;
  /** Removes all that are unused and old enough, because the disk is full. */
  removeUnused(): Promise<void>;
}

export interface ImageCollectorOptions {
  readonly policy: ImagePolicy;
  readonly containers: ContainerRuntime;
  /** What the node has left. */
  nodeStats(): Promise<NodeStats>;
  readonly clock: Clock;
  /** Of pods that have containers, or may have. */
  podUids(): Iterable<string>;
  /** Knows who pulled what. */
  readonly pulls: Pick<PullRecords, "prune">;
  /** About the node. */
  record(event: RecordedEvent): void;
}

export function createImageCollector({
  policy,
  containers,
  nodeStats,
  clock,
  podUids,
  pulls,
  record,
}: ImageCollectorOptions): ImageCollector {
  const began = clock.now();
  let uses: ReadonlyMap<string, ImageUse> = new Map();

  async function unusedImages(now: number): Promise<ImageUse[]> {
    const inUse = new Set<string>();
    for (const uid of podUids())
      for (const runs of (await containers.podStatus(uid)).containers.values())
        for (const { imageId } of runs) inUse.add(imageId);
    const images = await containers.listImages();
    uses = noteImages(uses, { images, inUse, now });
    await pulls.prune(new Set(images.map(({ id }) => id)), now);
    return collectionOrder(uses.values(), inUse);
  }

  async function remove(images: readonly ImageUse[]): Promise<void> {
    for (const { id } of images) await containers.removeImage(id);
  }

  return {
    async collect() {
      const now = clock.now();
      const unused = await unusedImages(now);
      const { nodeFs, imageFs: disk = nodeFs } = await nodeStats();
      const plan = planCollection({ unused, policy, disk, began, now });
      if (plan.kind === "invalidCapacity") {
        const message = "invalid capacity 0 on image filesystem";
        return record({ type: "Warning", reason: "InvalidDiskCapacity", message });
      }
      await remove(plan.images);
      if (!plan.shortage) return;
      const message = shortageText(plan.shortage, disk.capacityBytes);
      record({ type: "Warning", reason: "FreeDiskSpaceFailed", message });
    },
    async removeUnused() {
      const now = clock.now();
      const { images } = planRemoval(await unusedImages(now), { bytes: Number.POSITIVE_INFINITY, policy, now });
      await remove(images);
    },
  };
}
