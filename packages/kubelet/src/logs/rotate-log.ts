import { constants } from "node:fs";
import { open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { openLog } from "./open-log.js";
import { planRotation, rotatedName } from "./plan-rotation.js";

export interface RotateLogRequest {
  readonly path: string;
  readonly maxFiles: number;
  readonly now: number;
  /** The runtime goes on in a new file under the log's name. */
  reopen(): Promise<void>;
}

/**
 * Renames a log, and compresses and removes those that were renamed before. Interrupted at any point, the next rotation goes on from
 * what it finds.
 * @throws Error of the file system or of the runtime; the log then has its name back
 */
export async function rotateLog({ path, maxFiles, now, reopen }: RotateLogRequest): Promise<void> {
  const { remove, compress } = planRotation(await rotatedFiles(path), maxFiles);
  for (const file of remove) await rm(file, { force: true });
  for (const file of compress) await compressLog(file);
  const rotated = rotatedName(path, now);
  await rename(path, rotated);
  try {
    await reopen();
  } catch (error) {
    await rename(rotated, path);
    throw error;
  }
}

/** Paths of the files `<log>.*`. */
export async function rotatedFiles(path: string): Promise<string[]> {
  const prefix = `${basename(path)}.`;
  const names = await readdir(dirname(path)).catch(() => []);
  return names.filter((name) => name.startsWith(prefix)).map((name) => join(dirname(path), name));
}

async function compressLog(path: string): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    const from = await openLog(path);
    const { mode } = await from.stat();
    // Neither end follows a link that somebody put there.
    const to = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode & 0o777);
    await pipeline(from.createReadStream(), createGzip(), to.createWriteStream());
    await rename(temporary, `${path}.gz`);
  } finally {
    await rm(temporary, { force: true });
  }
  await rm(path, { force: true });
}
