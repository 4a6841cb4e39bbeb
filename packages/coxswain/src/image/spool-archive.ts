import { createReadStream } from "node:fs";
import { mkdtemp, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { FlagError } from "@coxswain/component/flags";
import { archiveLimits } from "./read-archive.js";

/** An archive that may be read as often as there are nodes. */
export interface Archive {
  read(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** @param file `-`: standard input, which is kept in the cluster's folder until it is closed. @throws FlagError */
export async function openArchive(file: string, folder: string): Promise<Archive> {
  if (file !== "-") {
    const found = await stat(file).catch((error: unknown) => {
      throw new FlagError(`${file}: ${(error as Error).message}`);
    });
    if (!found.isFile()) throw new FlagError(`${file} is no file`);
    return archiveOf(file, async () => {});
  }
  const spool = await mkdtemp(join(folder, "image-"));
  const end = (): Promise<void> => rm(spool, { recursive: true, force: true });
  try {
    const copy = join(spool, "archive.tar");
    await keep(process.stdin as AsyncIterable<Uint8Array>, copy);
    return archiveOf(copy, end);
  } catch (error) {
    await end();
    throw error;
  }
}

async function keep(chunks: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  const copy = await open(file, "wx", 0o600);
  try {
    let size = 0;
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > archiveLimits.bytes) throw new FlagError(`the archive has more than ${archiveLimits.bytes} bytes`);
      await copy.writeFile(chunk);
    }
  } finally {
    await copy.close();
  }
}

const archiveOf = (file: string, close: () => Promise<void>): Archive => ({
  read: () => createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Uint8Array>,
  close,
});
