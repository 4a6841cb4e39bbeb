import type { ImageRecord } from "../runtime/container-runtime.js";
import type { ImagePolicy } from "./image-policy.js";

/** What is remembered of an image on the node. */
export interface ImageUse {
  /** See `ImageRecord.id`. */
  readonly id: string;
  readonly sizeBytes: number;
  readonly firstDetected: number;
  /** 0: never. */
  readonly lastUsed: number;
}

/** Pure: what is known of the images after another look at the node; of pinned ones nothing: they stay. */
export function noteImages(
  before: ReadonlyMap<string, ImageUse>,
  { images, inUse, now }: { images: readonly ImageRecord[]; inUse: ReadonlySet<string>; now: number },
): Map<string, ImageUse> {
  return new Map(
    images
      .filter(({ pinned }) => !pinned)
      .map(({ id, sizeBytes }) => {
        const known = before.get(id);
        const lastUsed = inUse.has(id) ? now : (known?.lastUsed ?? 0);
        return [id, { id, sizeBytes, firstDetected: known?.firstDetected ?? now, lastUsed }];
      }),
  );
}

/** Pure: the images that no container uses, those unused for longest first, older ones before younger ones. */
export const collectionOrder = (uses: Iterable<ImageUse>, inUse: ReadonlySet<string>): ImageUse[] =>
  [...uses]
    .filter(({ id }) => !inUse.has(id))
    .sort((a, b) => a.lastUsed - b.lastUsed || a.firstDetected - b.firstDetected);

export interface CollectionFacts {
  /** In `collectionOrder`. */
  readonly unused: readonly ImageUse[];
  readonly policy: ImagePolicy;
  readonly disk: { readonly capacityBytes: number; readonly availableBytes: number };
  /** When the kubelet began to look: nothing is too old before it has looked for that long. */
  readonly began: number;
  readonly now: number;
}

export type CollectionPlan =
  | { readonly kind: "invalidCapacity" }
  | {
      readonly kind: "remove";
      readonly images: readonly ImageUse[];
      /** What could not be freed, and the usage in percent. */
      readonly shortage?: { readonly freed: number; readonly usagePercent: number };
    };

/**
 * Pure: the images to remove: those unused for too long, and of the others as many as bring the disk below the low threshold,
 * where it is above the high one.
 */
export function planCollection({ unused, policy, disk, began, now }: CollectionFacts): CollectionPlan {
  const countsAge = policy.maxAgeMs > 0 && now - began > policy.maxAgeMs;
  const old = countsAge ? unused.filter(({ lastUsed }) => now - lastUsed > policy.maxAgeMs) : [];
  if (disk.capacityBytes === 0) return { kind: "invalidCapacity" };
  const freedByAge = old.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const available = Math.min(disk.availableBytes + freedByAge, disk.capacityBytes);
  const usagePercent = 100 - Math.trunc((available * 100) / disk.capacityBytes);
  if (usagePercent < policy.highPercent) return { kind: "remove", images: old };
  const wanted = Math.trunc((disk.capacityBytes * (100 - policy.lowPercent)) / 100) - available;
  const rest = unused.filter((use) => !old.includes(use));
  const { images, freed } = planRemoval(rest, { bytes: wanted, policy, now });
  return {
    kind: "remove",
    images: [...old, ...images],
    ...(freed < wanted && { shortage: { freed, usagePercent } }),
  };
}

/** Pure: the images that free so many bytes, of those that are old enough; all of them where they are too few. */
export function planRemoval(
  unused: readonly ImageUse[],
  { bytes, policy, now }: { bytes: number; policy: ImagePolicy; now: number },
): { images: ImageUse[]; freed: number } {
  const images: ImageUse[] = [];
  let freed = 0;
  for (const use of unused) {
    if (now - use.firstDetected < policy.minAgeMs) continue;
    images.push(use);
    freed += use.sizeBytes;
    if (freed >= bytes) break;
  }
  return { images, freed };
}

const units = ["KiB", "MiB", "GiB", "TiB"] as const;

/** The message of the event when too little could be freed. */
export function shortageText(
  { freed, usagePercent }: { freed: number; usagePercent: number },
  capacityBytes: number,
): string {
  return (
    `Insufficient free disk space on the node's image filesystem (${usagePercent}% of ${sizeText(capacityBytes)} used). ` +
    `Failed to free sufficient space by deleting unused images (freed ${freed} bytes). ` +
    "Investigate disk usage, as it could be used by active images, logs, volumes, or other data."
  );
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`;
}
