import { keysAdded } from "./log-record.js";
import type { StoreDamage } from "./store-damage.js";
import type { StoreMeta } from "./store-meta.js";
import { decodeBatch } from "./wal/batch-record.js";
import { readRecords, readWalFile, type WalRecords } from "./wal/read-wal.js";
import { refuseIfCut } from "./wal/replay-wal.js";

/** What the write-ahead log adds to the file. */
export interface CheckedLog {
  readonly revision: number;
  readonly keysAdded: number;
  readonly commits: number;
}

/**
 * Reads the write-ahead log from where the file ends. Its end cannot be distinguished from that of a process that was ended before it wrote
 * more, so after a store that was not closed the last revision is a note.
 */
export function checkLog(
  path: string,
  meta: StoreMeta,
  notes: string[],
  report: (damage: StoreDamage) => void,
): CheckedLog {
  const nothing = { revision: meta.revision, keysAdded: 0, commits: 0 };
  if (meta.wal === undefined) return nothing;
  const file = readWalFile(path);
  const damage = (what: string): CheckedLog => {
    report({ file: "data.wal", what, revision: meta.revision });
    return nothing;
  };
  if (file === undefined)
    return damage("it is missing, and the store was not closed: what was written after this revision is lost");
  let read: WalRecords;
  try {
    refuseIfCut(file, path, meta);
    read = readRecords(file, meta.wal);
  } catch (err) {
    return damage(err instanceof Error ? err.message : String(err));
  }
  const batches = read.records.map(({ record }) => decodeBatch(record));
  const revision = batches.at(-1)?.revision ?? meta.revision;
  if (read.isTorn)
    report({
      file: "data.wal",
      what: "a record behind this revision is not whole: a write that was under way and not acknowledged, or one that is damaged",
      revision,
    });
  notes.push(`the store was not closed: the last revision found is ${revision}`);
  const keys = batches.flatMap(({ changes }) => changes).reduce((sum, { bytes }) => sum + keysAdded(bytes), 0);
  return { revision, keysAdded: keys, commits: batches.length };
}
