import { readdir, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { mountsBeneath } from "../machine/mount-table.js";
import { podDirectory } from "../machine/pod-directories.js";
import { ownedDirectories } from "./plugins/all-plugins.js";
import { removeTree } from "./remove-tree.js";
import { unmountCsi } from "./unmount-csi.js";
import type { VolumeContext } from "./volume-plugin.js";

/**
 * Removes what the volumes of a pod left on the node, by the mount table and the directories alone: also what an earlier kubelet put there, however
 * far it got. First everything that is mounted below the pod's directory; only when nothing is, files. Directories of the pod's own
 * volumes are removed with all that is in them; others (a PersistentVolume's) must be empty once unmounted, and if they are not, what
 * is in them is somebody's data and stays. Idempotent. @throws Error where something is still in use: to be tried again
 */
export async function tearDownPod(context: TearDownContext, podUid: string): Promise<void> {
  const {
    rootDir,
    mounter,
    runtime: { scheduler },
  } = context;
  const pod = podDirectory(rootDir, podUid);
  // Parts of volumes before the volumes; drivers take their own mounts back.
  await unmountAll(mounter, join(pod, "volume-subpaths"));
  await unmountCsi(context, podUid);
  await unmountAll(mounter, pod);
  const volumes = join(pod, "volumes");
  for (const plugin of await namesIn(volumes)) {
    for (const name of await namesIn(join(volumes, plugin))) {
      const directory = join(volumes, plugin, name);
      if (ownedDirectories.has(plugin)) await removeTree(directory, scheduler);
      else await removeEmpty(directory);
    }
    await removeEmpty(join(volumes, plugin));
  }
  await removeEmpty(volumes);
  await removeSubPaths(join(pod, "volume-subpaths"));
  await removeTree(join(pod, "plugins"), scheduler);
  // The directory stays as long as there is more of the pod in it.
  await removeEmpty(pod).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTEMPTY") throw error;
  });
}

/** Removes what else a kubelet keeps of a pod that is deleted: termination messages, the hosts file, its directory. */
export async function discardPod(context: TearDownContext, podUid: string): Promise<void> {
  await tearDownPod(context, podUid);
  const pod = podDirectory(context.rootDir, podUid);
  for (const name of ["containers", "etc-hosts"]) await removeTree(join(pod, name), context.runtime.scheduler);
  await removeEmpty(pod);
}

type TearDownContext = Pick<VolumeContext, "rootDir" | "mounter" | "runtime" | "csi">;

async function unmountAll(mounter: VolumeContext["mounter"], directory: string): Promise<void> {
  for (const { target } of mountsBeneath(await mounter.table(), directory)) await mounter.unmount(target);
  const left = mountsBeneath(await mounter.table(), directory);
  if (left[0]) throw new Error(`${left[0].target} is still mounted`);
}

/** Targets of bind mounts: empty files and directories, `<volume>/<container>/<index>`. */
async function removeSubPaths(directory: string): Promise<void> {
  for (const volume of await namesIn(directory)) {
    for (const container of await namesIn(join(directory, volume))) {
      const parent = join(directory, volume, container);
      for (const index of await namesIn(parent))
        await unlink(join(parent, index)).catch(() => rmdir(join(parent, index)));
      await removeEmpty(parent);
    }
    await removeEmpty(join(directory, volume));
  }
  await removeEmpty(directory);
}

const namesIn = (directory: string): Promise<string[]> =>
  readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
    return [];
  });

const removeEmpty = (directory: string): Promise<void> =>
  rmdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
