import { open, type FileHandle } from "node:fs/promises";
import { StoreError } from "../../store-error.js";
import { headAt, paddedLength, pageBytes, recordAt } from "./wal-record.js";
import type { WalPlace } from "../wal-place.js";

/** The whole file; empty when there is none. */
export async function readWalFile(path: string): Promise<Buffer> {
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw err;
  }
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/**
 * The records from a place on, in order, each with the place behind it. A last one that is torn was never acknowledged and
 * counts as not there.
 * @throws StoreError "unreadable" when one is damaged and others follow: each is begun only when the one before is on disk.
 */
export function* recordsFrom(file: Buffer, from: WalPlace): Generator<{ record: Buffer; next: WalPlace }, void> {
  for (let place = from; ; ) {
    const record = recordAt(file, place) ?? wrappedRecord(file, place);
    if (record === undefined) return refuseIfAnyFollows(file, place);
    const { epoch, sequence } = place;
    place = { epoch, sequence: sequence + 1, at: record.byteOffset - file.byteOffset + paddedLength(record.length) };
    yield { record, next: place };
  }
}

/** One that did not fit in front of the end stands at the beginning. */
function wrappedRecord(file: Buffer, place: WalPlace): Buffer | undefined {
  const record = recordAt(file, { ...place, at: 0 });
  return record !== undefined && place.at + paddedLength(record.length) > file.length ? record : undefined;
}

function refuseIfAnyFollows(file: Buffer, { epoch, sequence }: WalPlace): void {
  for (let at = 0; at < file.length; at += pageBytes) {
    const head = headAt(file, at);
    if (head?.epoch === epoch && head.sequence > sequence) {
      throw new StoreError(
        "unreadable",
        `record ${sequence} of the write-ahead log is damaged, and record ${head.sequence} follows it: what was written last cannot be read whole. Restore a backup, or move data.wal away to do without what is in it`,
      );
    }
  }
}
