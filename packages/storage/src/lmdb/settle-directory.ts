import { join } from "node:path";
import { checkDataFile } from "./data-file.js";
import { Environment } from "./environment.js";
import { formats } from "./format.js";
import { replayWal } from "./wal/replay-wal.js";

/**
 * Brings into the data file what only the write-ahead log has, so that the file alone is the whole store. Only while no server
 * runs; the caller holds the directory's lock.
 * @throws if the store cannot be opened
 */
export async function settleLmdbDirectory(directory: string): Promise<void> {
  const file = join(directory, "data.mdb");
  checkDataFile(file);
  const env = new Environment(file);
  try {
    // What an older version wrote has no log, and what a newer one wrote is not ours to touch.
    if (env.format()?.format !== formats.current) return;
    env.openTables();
    await replayWal(env, join(directory, "data.wal"));
  } finally {
    await env.close();
  }
}
