import { chmod, lstat, mkdir } from "node:fs/promises";

/** Containers of any user may write to a volume of their own; upstream's mode of emptyDirs. */
export const volumeMode = 0o777;

/** A directory with this mode whatever the umask; those above it are for the kubelet alone. */
export async function makeVolumeDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o750 });
  if (((await lstat(path)).mode & 0o777) !== volumeMode) await chmod(path, volumeMode);
}
