import { open, type FileHandle } from "node:fs/promises";
import { StoreError } from "../store-error.js";

/** Offsets in a meta page of the library's LMDB: a page head of 24 bytes, then the meta record. */
const magicAt = 24;
const pageSizeAt = 48;
const lastPageAt = 144;
const transactionAt = 152;
const magic = 0xbeef_c0de;
const metaBytes = 160;

/**
 * Looks at the head of a data file before it is mapped into memory: what is not LMDB's, or is shorter than its header declares, would end
 * the process with a signal rather than an error.
 * @throws StoreError "unreadable"
 */
export async function checkDataFile(path: string): Promise<void> {
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === "ENOENT") return;
    throw err;
  }
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw unreadable(path, "it is not a file");
    const { size } = stat;
    // Made, but nothing was ever written to it.
    if (size === 0) return;
    const pageSize = await pageSizeOf(file);
    if (pageSize === undefined) throw unreadable(path, "it is not a data file of this store");
    const metas = await Promise.all([metaAt(file, 0), metaAt(file, pageSize)]);
    const newest = metas.filter((meta) => meta !== undefined).sort((a, b) => b.transaction - a.transaction)[0];
    if (newest === undefined) throw unreadable(path, "its head is damaged");
    // Free pages at the end may never have been written, so a little is allowed to be missing.
    const missing = (newest.lastPage + 1) * pageSize - size;
    if (missing > 64 * pageSize) throw unreadable(path, `${missing} bytes are missing at its end`);
  } finally {
    await file.close();
  }
}

async function pageSizeOf(file: FileHandle): Promise<number | undefined> {
  const head = Buffer.alloc(metaBytes);
  await file.read(head, 0, metaBytes, 0);
  const pageSize = head.readUInt32LE(pageSizeAt);
  const isPower = pageSize >= 256 && pageSize <= 65_536 && (pageSize & (pageSize - 1)) === 0;
  return head.readUInt32LE(magicAt) === magic && isPower ? pageSize : undefined;
}

async function metaAt(file: FileHandle, at: number): Promise<{ lastPage: number; transaction: number } | undefined> {
  const bytes = Buffer.alloc(metaBytes);
  const { bytesRead } = await file.read(bytes, 0, metaBytes, at);
  if (bytesRead < metaBytes || bytes.readUInt32LE(magicAt) !== magic) return undefined;
  return {
    lastPage: Number(bytes.readBigUInt64LE(lastPageAt)),
    transaction: Number(bytes.readBigUInt64LE(transactionAt)),
  };
}

const unreadable = (path: string, why: string): StoreError =>
  new StoreError(
    "unreadable",
    `${path} cannot be opened: ${why}. Restore a backup into an empty directory, or move the file away to start with an empty store`,
  );
