import { StoreError } from "../../contract/store-error.js";
import { lengthOf, roomFor } from "../disk-room.js";
import type { Environment } from "../environment.js";
import type { Moment } from "../moment.js";
import type { StoreMeta } from "../store-meta.js";
import { decodeBatch } from "./batch-record.js";
import { readRecords, readWalFile } from "./read-wal.js";
import { writeBatch } from "./write-batch.js";

/**
 * Replays what is only in the write-ahead log: what a killed process left there. All of it is one
 * transaction, which also records how far the log was replayed, so it takes effect once, even if this process is killed too.
 * @returns sentences for the operator, none when the store was closed: how far the log went, and whether it may have gone further
 * @throws StoreError "unreadable" when the log is damaged in the middle, or its end is cut off
 */
export async function replayWal(
  env: Environment,
  path: string,
  moment?: (at: Moment) => void,
): Promise<readonly string[]> {
  const before = env.meta();
  const { wal } = before;
  if (wal === undefined) return [];
  const file = readWalFile(path);
  if (file === undefined)
    return [
      `the write-ahead log ${path} is missing, and the previous process did not close the store: what was written after revision ${before.revision} is lost, if anything was`,
    ];
  refuseIfCut(file, path, before);
  const { records, isTorn } = readRecords(file, wal);
  const last = records.at(-1);
  let revision = before.revision;
  if (last !== undefined) {
    moment?.("log read");
    await env.commit(
      (writer) => {
        let meta = before;
        for (const { record } of records) meta = writeBatch(writer, meta, decodeBatch(record));
        writer.putMeta({ ...meta, wal: { ...last.next, bytes: wal.bytes } });
        revision = meta.revision;
      },
      roomFor(lengthOf(records.map(({ record }) => record))),
    );
    moment?.("log replayed");
  }
  const lines = [
    `${records.length} commits were found in the write-ahead log: the previous process did not close the store. The last revision found is ${revision}`,
  ];
  if (isTorn)
    lines.push(
      `the write-ahead log ends with a record that is not whole, behind revision ${revision}: a write that was under way and not acknowledged when the process ended, or one that is damaged. It is left out`,
    );
  return lines;
}

/** The log never changes its size while it is in use. */
export function refuseIfCut(file: Buffer, path: string, { wal, revision }: StoreMeta): void {
  if (wal !== undefined && file.length < wal.bytes)
    throw new StoreError(
      "unreadable",
      `the write-ahead log ${path} is cut off: it has ${file.length} bytes of ${wal.bytes}, and what was written after revision ${revision} may be missing. Restore a backup, or move data.wal away to do without what is in it`,
    );
}
