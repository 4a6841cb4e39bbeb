import type { Environment } from "../environment.js";
import type { Moment } from "../moment.js";
import { decodeBatch } from "./batch-record.js";
import { readWalFile, recordsFrom } from "./read-wal.js";
import { writeBatch } from "./write-batch.js";

/**
 * Replays what is only in the write-ahead log: what a killed process left there. All of it is one
 * transaction, which also records how far the log was replayed, so it takes effect once, even if this process is killed too.
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
