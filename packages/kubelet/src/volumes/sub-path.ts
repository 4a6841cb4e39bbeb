import { type FileHandle, lstat, mkdir, realpath, rmdir, stat, unlink, writeFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { mountAt } from "../machine/mount-table.js";
import { makeBeneath, namesOf, openBeneath } from "./beneath.js";
import type { Mounter } from "./mounter.js";

export interface SubPathMount {
  /** The volume's directory. */
  readonly volume: string;
  /** Relative, without `..`. */
  readonly subPath: string;
  /** Where the bind mount goes, below the kubelet's own directory. */
  readonly target: string;
}

/**
 * Bind-mounts one part of a volume, which a container may change at the same time, for another container. Links are resolved first
 * (a file of a config map is one); then what they resolved to is opened name by name without following any, and the *descriptor* is
 * mounted: whatever is swapped in afterwards is not what was opened. As `doBindSubPath` of pkg/volume/util/subpath/subpath_linux.go.
 */
export async function bindSubPath(mounter: Mounter, mount: SubPathMount): Promise<void> {
  const volume = await realpath(mount.volume);
  const file = await openSubPath(volume, mount.subPath);
  try {
    const wanted = await file.stat();
    if (mountAt(await mounter.table(), mount.target)) {
      const there = await lstat(mount.target);
      if (there.dev === wanted.dev && there.ino === wanted.ino) return;
      await mounter.unmount(mount.target);
    }
    await makeTarget(mount.target, wanted.isDirectory());
    // The link /proc/<pid>/fd/<n> is the kernel's own: nobody can make it lead elsewhere.
    const source = `/proc/${process.pid}/fd/${file.fd}`;
    await mounter.mount({ source, target: mount.target, options: ["bind"] });
  } finally {
    await file.close();
  }
}

/** A directory, or a file: that is enough for whatever is no directory, since a device or a socket shows through it. */
async function makeTarget(target: string, isDirectory: boolean): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o750 });
  // Of a mount before, which may have been of the other kind.
  await unlink(target).catch(() => rmdir(target).catch(unlessMissing));
  if (isDirectory) await mkdir(target, { mode: 0o750 });
  else await writeFile(target, "", { mode: 0o640, flag: "wx" });
}

/** Opens the sub-path, making directories where it is missing. @throws BeneathError where it leads out of the volume */
async function openSubPath(volume: string, subPath: string): Promise<FileHandle> {
  const path = namesOf(subPath).join("/");
  for (let tries = 0; ; tries++) {
    try {
      const resolved = await realpath(`${volume}/${path}`);
      return await openBeneath(volume, relativeTo(volume, resolved));
    } catch (error) {
      // Somebody may remove what is made; a few times are enough for everybody else.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries >= 3) throw error;
      await makeMissing(volume, path);
    }
  }
}

/** With the mode of the volume's top, so that a pod's group may write there. */
async function makeMissing(volume: string, path: string): Promise<void> {
  const names = path.split("/");
  let parent = volume;
  let done = 0;
  for (; done < names.length; done++) {
    const next = await realpath(`${parent}/${names[done]}`).catch(unlessMissing);
    if (next === undefined) break;
    parent = next;
  }
  const { mode } = await stat(volume);
  const rest = [relativeTo(volume, parent), ...names.slice(done)].filter((part) => part !== "").join("/");
  const made = await makeBeneath(volume, rest, mode & 0o7777);
  await made.close();
}

/** @throws Error where the path is not below the directory */
function relativeTo(directory: string, path: string): string {
  const rest = relative(directory, path);
  if (rest === ".." || rest.startsWith("../") || rest.startsWith("/"))
    throw new Error(`path ${path} is outside of allowed base ${directory}`);
  return rest;
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
  return undefined;
}
