import type { Environment } from "../environment.js";
import type { Moment } from "../moment.js";
import { decodeBatch } from "./batch-record.js";
import { readWalFile, recordsFrom } from "./read-wal.js";
import { writeBatch } from "./write-batch.js";

/**
 * Brings into the file what only the write-ahead log has: what a process that was ended hard left there. All of it is one
 * transaction, which also says how far the log has been read, so it happens once, whenever this is ended in its turn.
 * @returns how many batches there were
 */
export async function replayWal(env: Environment, path: string, moment?: (at: Moment) => void): Promise<number> {
  const { wal } = env.meta();
  if (wal === undefined) return 0;
  const records = [...recordsFrom(await readWalFile(path), wal)];
  const last = records.at(-1);
  if (last === undefined) return 0;
  moment?.("log read");
  await env.commit((writer) => {
    let meta = env.meta();
    for (const { record } of records) meta = writeBatch(writer, meta, decodeBatch(record));
    writer.putMeta({ ...meta, wal: last.next });
  });
  moment?.("log replayed");
  return records.length;
}
