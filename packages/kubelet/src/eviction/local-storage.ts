import { getOwn } from "@coxswain/apimachinery/own";
import { parseQuantity, quantityValue } from "@coxswain/apimachinery/quantity";
import { limitsOf } from "../admission/pod-requests.js";
import { type CachedPod, containersOf } from "../objects/cached-pod.js";
import type { PodStats } from "../runtime/container-runtime.js";
import { bytesText } from "./eviction-message.js";
import { usedBy } from "./rank-pods.js";

const storage = "ephemeral-storage";

/** Whether the pod may only use so much storage of the node, so that it is worth a look. */
export const hasStorageLimit = (pod: CachedPod): boolean =>
  (pod.spec?.volumes ?? []).some(({ emptyDir }) => emptyDir?.sizeLimit !== undefined) ||
  containersOf(pod).some(({ resources }) => getOwn(resources?.limits, storage) !== undefined);

export interface StorageExcess {
  /** As upstream counts it (pkg/kubelet/eviction/eviction_manager.go). */
  readonly signal: "emptydirfs.limit" | "ephemeralpodfs.limit" | "ephemeralcontainerfs.limit";
  readonly message: string;
}

/** Pure: why a pod that uses more local storage than it may is evicted; undefined: it does not. */
export function storageExcess(pod: CachedPod, stats: PodStats): StorageExcess | undefined {
  for (const { name, emptyDir } of pod.spec?.volumes ?? []) {
    if (emptyDir?.sizeLimit === undefined) continue;
    const used = stats.volumes.find((volume) => volume.name === name)?.usedBytes ?? 0;
    const limit = quantityValue(emptyDir.sizeLimit);
    if (limit > 0 && used > limit)
      return {
        signal: "emptydirfs.limit",
        message: `Usage of EmptyDir volume "${name}" exceeds the limit "${parseQuantity(emptyDir.sizeLimit).toString()}". `,
      };
  }
  const total = limitsOf(pod).get(storage);
  if (total !== undefined && usedBy(stats, storage) > total)
    return {
      signal: "ephemeralpodfs.limit",
      message: `Pod ephemeral local storage usage exceeds the total limit of containers ${bytesText(total)}. `,
    };
  for (const { name, resources } of containersOf(pod)) {
    const limit = getOwn(resources?.limits, storage);
    const used = stats.containers.find((container) => container.name === name)?.storageBytes ?? 0;
    if (limit !== undefined && quantityValue(limit) > 0 && used > quantityValue(limit))
      return {
        signal: "ephemeralcontainerfs.limit",
        message: `Container ${name} exceeded its local ephemeral storage limit "${parseQuantity(limit).toString()}". `,
      };
  }
  return undefined;
}
