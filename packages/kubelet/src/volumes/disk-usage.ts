import { statfs } from "node:fs/promises";
import type { Scheduler } from "@coxswain/runtime/scheduler";
import { walkTree } from "./walk-tree.js";

export interface DiskUsage {
  readonly usedBytes: number;
  readonly inodes: number;
}

/** Blocks of `stat` are of this size, whatever the file system's are. */
const blockBytes = 512;

/** What a directory uses on the disk, as `du`: blocks, not lengths; a file with several names counts once. */
export async function diskUsage(directory: string, scheduler: Scheduler): Promise<DiskUsage> {
  let usedBytes = 0;
  let inodes = 0;
  const seen = new Set<string>();
  await walkTree(
    directory,
    ({ stats }) => {
      if (stats.nlink > 1 && !stats.isDirectory()) {
        const key = `${stats.dev}:${stats.ino}`;
        if (seen.has(key)) return;
        seen.add(key);
      }
      usedBytes += stats.blocks * blockBytes;
      inodes++;
    },
    scheduler,
  );
  return { usedBytes, inodes };
}

/** What a file system of its own uses: no walk. */
export async function fileSystemUsage(mountPoint: string): Promise<DiskUsage> {
  const { blocks, bfree, bsize, files, ffree } = await statfs(mountPoint);
  return { usedBytes: (blocks - bfree) * bsize, inodes: files - ffree };
}
