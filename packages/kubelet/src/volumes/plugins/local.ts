import { mkdir, stat } from "node:fs/promises";
import type { LocalVolumeSource } from "@coxswain/api/core/v1";
import { isLocalPathVolume } from "@coxswain/api/local-path";
import type { DeepReadonly } from "@coxswain/api/types";
import { mountAt } from "../../machine/mount-table.js";
import { podsDirectory, volumeDirectory } from "../../machine/pod-directories.js";
import { uidOf } from "../../objects/cached-pod.js";
import { makeVolumeDirectory } from "../make-directory.js";
import { setGroupOwnership } from "../ownership.js";
import { fsGroupOf, fsGroupPolicyOf } from "../pod-security.js";
import { type MountedVolume, type VolumeContext, type VolumePlugin, VolumeStepError } from "../volume-plugin.js";

/** A directory of this node that a PersistentVolume names; bind-mounted, so that several pods share it. */
export const localPlugin: VolumePlugin<DeepReadonly<LocalVolumeSource>> = {
  directory: "local-volume",
  async setUp({ path }, request, context): Promise<MountedVolume> {
    const { pod, name, isReadOnly, mountOptions } = request;
    if (isLocalPathVolume(path)) await makeVolumeDirectory(path);
    await checkPath(path);
    const directory = volumeDirectory(context.rootDir, { podUid: uidOf(pod), plugin: "local-volume", name });
    const mounted: MountedVolume = { kind: "host", path: directory, readOnly: isReadOnly };
    if (context.done.has(directory)) return mounted;
    if (!mountAt(await context.mounter.table(), directory)) {
      await mkdir(directory, { recursive: true, mode: 0o750 });
      const isShared = await isUsedByOthers(path, directory, context);
      const options = ["bind", ...(isReadOnly ? ["ro"] : []), ...mountOptions];
      await context.mounter.mount({ source: path, target: directory, options });
      const fsGroup = fsGroupOf(pod);
      // The first pod decides: others must not take its files away.
      if (fsGroup !== undefined && !isReadOnly && !isShared) {
        const ownership = { fsGroup, policy: fsGroupPolicyOf(pod), isReadOnly: false };
        await setGroupOwnership(directory, ownership, context.runtime.scheduler);
      }
    }
    context.done.set(directory, "ready");
    return mounted;
  },
};

async function checkPath(path: string): Promise<void> {
  const step = "MountVolume.NewMounter initialization failed";
  if (path === "") throw new VolumeStepError(step, "local volume source is nil or local path is not set");
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new VolumeStepError(step, `path "${path}" does not exist`);
  });
  if (found.isBlockDevice())
    throw new VolumeStepError(step, "local volumes on block devices are not supported on this node");
  if (!found.isDirectory()) throw new VolumeStepError(step, "only directory and block device are supported");
  if (path.split("/").includes("..")) throw new Error(`invalid path: ${path} must not contain '..'`);
}

/** Whether another pod has mounted the same directory: a mount whose file system and root are those of this path. */
async function isUsedByOthers(path: string, own: string, { mounter, rootDir }: VolumeContext): Promise<boolean> {
  const inode = await stat(path);
  const suffix = `/volumes/kubernetes.io~local-volume/`;
  for (const { target } of await mounter.table()) {
    if (target === own || !target.startsWith(`${podsDirectory(rootDir)}/`) || !target.includes(suffix)) continue;
    const other = await stat(target).catch(() => undefined);
    if (other && other.dev === inode.dev && other.ino === inode.ino) return true;
  }
  return false;
}
