import { chmodSync, chownSync, lchownSync, type Stats } from "node:fs";
import { lstat } from "node:fs/promises";
import type { Scheduler } from "@coxswain/runtime/scheduler";
import { type TreeEntry, walkTree } from "./walk-tree.js";

export interface GroupOwnership {
  readonly fsGroup: number;
  /** `OnRootMismatch`: only where the top directory does not have the group and mode already. @default "Always" */
  readonly policy?: string;
  /** The kubelet writes the volume, pods only read it. */
  readonly isReadOnly: boolean;
}

const readWrite = 0o660;
const readOnly = 0o440;
const execute = 0o110;
const setGroupId = 0o2000;

/**
 * Gives everything in a volume to the pod's group, and the group the owner's rights; new files inherit the group. As upstream's
 * pkg/volume/volume_linux.go, `ChangePermissions`; descriptors in place of paths, so that a link that is swapped in changes nothing
 * outside the volume. A file that cannot be changed is left as it is, as upstream does.
 */
export async function setGroupOwnership(
  directory: string,
  ownership: GroupOwnership,
  scheduler: Scheduler,
): Promise<void> {
  if (ownership.policy === "OnRootMismatch" && hasOwnership(await lstat(directory), ownership)) return;
  await walkTree(directory, (entry) => change(entry, ownership), scheduler);
}

/** Pure: whether the top directory of a volume has the group and at least the mode. */
export function hasOwnership(
  stats: Pick<Stats, "gid" | "mode" | "isDirectory">,
  { fsGroup, isReadOnly }: GroupOwnership,
): boolean {
  const wanted = (isReadOnly ? readOnly : readWrite) | execute | setGroupId;
  return stats.isDirectory() && stats.gid === fsGroup && (stats.mode & wanted) === wanted;
}

function change({ path, name, stats }: TreeEntry, { fsGroup, isReadOnly }: GroupOwnership): void {
  const mask = (isReadOnly ? readOnly : readWrite) | (stats.isDirectory() ? setGroupId | execute : 0);
  const mode = (stats.mode & 0o7777) | mask;
  try {
    if (stats.isSymbolicLink()) return lchownSync(name, -1, fsGroup);
    if (stats.gid === fsGroup && (stats.mode & 0o7777) === mode) return;
    chownSync(path, -1, fsGroup);
    chmodSync(path, mode); // after chown, which clears set-id bits
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EPERM" && code !== "EROFS" && code !== "EOPNOTSUPP" && code !== "ENOENT") throw error;
  }
}
