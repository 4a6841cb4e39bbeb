import { quantityValue } from "@coxswain/apimachinery/quantity";
import { defaultPodLimits, podGroupResources } from "../cgroups/group-resources.js";
import { mountAt } from "../machine/mount-table.js";
import type { CachedPod } from "../objects/cached-pod.js";
import type { VolumeContext } from "./volume-plugin.js";

/**
 * Pure: how large a tmpfs of a pod may grow: the volume's own limit, if it is below the pod's limit of memory, which counts if it is
 * below what the node has for pods. As `calculateEmptyDirMemorySize` of pkg/volume/emptydir/empty_dir.go.
 */
export function memorySizeBytes(pod: CachedPod, allocatableBytes: number, sizeLimit: string | undefined): number {
  let size = allocatableBytes;
  for (const limit of [
    podGroupResources(pod, defaultPodLimits).memoryBytes,
    sizeLimit === undefined ? undefined : quantityValue(sizeLimit),
  ])
    if (limit !== undefined && limit > 0 && limit <= size) size = limit;
  return size;
}

/** Mounts a tmpfs at the directory, unless one is there. */
export async function mountMemory(
  { mounter, allocatableMemoryBytes }: VolumeContext,
  { pod, directory, sizeLimit }: { readonly pod: CachedPod; readonly directory: string; readonly sizeLimit?: string },
): Promise<void> {
  if (mountAt(await mounter.table(), directory)?.fsType === "tmpfs") return;
  const size = memorySizeBytes(pod, allocatableMemoryBytes(), sizeLimit);
  const options = size > 0 ? [`size=${size}`] : [];
  await mounter.mount({ source: "tmpfs", target: directory, fsType: "tmpfs", options });
}
