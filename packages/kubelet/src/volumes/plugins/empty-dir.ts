import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { EmptyDirVolumeSource } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { mountAt } from "../../machine/mount-table.js";
import { podDirectory, volumeDirectory } from "../../machine/pod-directories.js";
import { type CachedPod, uidOf } from "../../objects/cached-pod.js";
import { hugePagesMount } from "../huge-pages.js";
import { makeVolumeDirectory } from "../make-directory.js";
import { mountMemory } from "../memory-volume.js";
import { setGroupOwnership } from "../ownership.js";
import { fsGroupOf } from "../pod-security.js";
import type { VolumeContext, VolumePlugin } from "../volume-plugin.js";

export const emptyDirPlugin: VolumePlugin<DeepReadonly<EmptyDirVolumeSource>> = {
  directory: "empty-dir",
  async setUp(source, { pod, name }, context) {
    const directory = volumeDirectory(context.rootDir, { podUid: uidOf(pod), plugin: "empty-dir", name });
    const mounted = { kind: "host", path: directory } as const;
    if (context.done.has(directory)) return mounted;
    const readyFile = join(podDirectory(context.rootDir, uidOf(pod)), "plugins/kubernetes.io~empty-dir", name, "ready");
    if (!(await isReady(directory, readyFile, source.medium ?? "", context))) {
      await makeVolumeDirectory(directory);
      await mountMedium(source, pod, directory, context);
      const fsGroup = fsGroupOf(pod);
      if (fsGroup !== undefined)
        await setGroupOwnership(directory, { fsGroup, isReadOnly: false }, context.runtime.scheduler);
      await mkdir(dirname(readyFile), { recursive: true, mode: 0o750 });
      await writeFile(readyFile, "");
    }
    context.done.set(directory, "ready");
    return mounted;
  },
};

/** A kubelet before this one may have made it: then its files are the pod's, and their owners stay. */
async function isReady(
  directory: string,
  readyFile: string,
  medium: string,
  { mounter }: VolumeContext,
): Promise<boolean> {
  const isThere = (path: string): Promise<boolean> =>
    stat(path).then(
      () => true,
      () => false,
    );
  if (!(await isThere(readyFile)) || !(await isThere(directory))) return false;
  return medium === "" || mountAt(await mounter.table(), directory) !== undefined;
}

async function mountMedium(
  { medium = "", sizeLimit }: DeepReadonly<EmptyDirVolumeSource>,
  pod: CachedPod,
  directory: string,
  context: VolumeContext,
): Promise<void> {
  if (medium === "") return;
  if (medium === "Memory")
    return mountMemory(context, { pod, directory, ...(sizeLimit !== undefined && { sizeLimit }) });
  if (!medium.startsWith("HugePages")) throw new Error(`unknown storage medium "${medium}"`);
  const option = hugePagesMount(medium, pod);
  if (mountAt(await context.mounter.table(), directory)?.fsType === "hugetlbfs") return;
  await context.mounter.mount({ source: "nodev", target: directory, fsType: "hugetlbfs", options: [option] });
}
