import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SegmentFile, SegmentFiles } from "./segment-files.js";

const segmentName = /^(\d{8})\.log$/;

/** Segments in a directory of their own, readable by their owner only: they hold what the store holds. */
export async function directoryFiles(directory: string): Promise<SegmentFiles> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = (number: number, ending: string): string =>
    join(directory, `${String(number).padStart(8, "0")}.${ending}`);
  return {
    async list() {
      const names = await readdir(directory);
      return names.flatMap((name) => segmentName.exec(name)?.slice(1).map(Number) ?? []).sort((a, b) => a - b);
    },
    create: (number) => openSegment(path(number, "log"), "wx+"),
    open: (number) => openSegment(path(number, "log"), "r+"),
    async remove(number) {
      await rm(path(number, "index"), { force: true });
      await rm(path(number, "log"), { force: true });
    },
    async writeIndex(number, bytes) {
      await writeFile(path(number, "new"), bytes, { mode: 0o600 });
      await rename(path(number, "new"), path(number, "index"));
    },
    readIndex: (number) =>
      readFile(path(number, "index")).catch((err: NodeJS.ErrnoException) => {
        if (err.code === "ENOENT") return undefined;
        throw err;
      }),
  };
}

async function openSegment(path: string, flags: string): Promise<SegmentFile> {
  const file = await open(path, flags, 0o600);
  let bytes = (await file.stat()).size;
  return {
    get bytes() {
      return bytes;
    },
    async append(added) {
      for (let done = 0; done < added.length; ) {
        // At the end of what is known to be there: a failed append leaves nothing behind that the next one does not replace.
        const { bytesWritten } = await file.write(added, done, added.length - done, bytes + done);
        done += bytesWritten;
      }
      bytes += added.length;
    },
    async read(offset, length) {
      const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, bytes - offset)));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
      return buffer.subarray(0, bytesRead);
    },
    async truncate(size) {
      await file.truncate(size);
      bytes = size;
    },
    close: () => file.close(),
  };
}
