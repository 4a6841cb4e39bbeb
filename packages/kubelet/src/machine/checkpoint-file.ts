import { open, readFile, rename } from "node:fs/promises";

/** A file of upstream's checkpoint manager: `{"data":"…","checksum":n}` (pkg/kubelet/checkpointmanager). Undefined: there is none. @throws Error where it is damaged */
export async function readCheckpoint(path: string): Promise<string | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
  if (text === undefined) return undefined;
  const { data, checksum } = JSON.parse(text) as { data?: unknown; checksum?: unknown };
  if (typeof data !== "string") throw new Error("there is no data in it");
  const actual = checksumOf(data);
  if (actual !== checksum) throw new Error(`checkpoint is corrupted: checksum ${actual} instead of ${checksum}`);
  return data;
}

/** Replaces the file whole; after a loss of power the old or the new one is there. */
export async function writeCheckpoint(path: string, data: string): Promise<void> {
  const partial = `${path}.tmp`;
  const file = await open(partial, "w", 0o600);
  try {
    await file.writeFile(JSON.stringify({ data, checksum: checksumOf(data) }));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, path);
}

/** FNV-1a over what upstream's DeepHashObject prints of a string. */
function checksumOf(data: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`(string)${data}`)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
