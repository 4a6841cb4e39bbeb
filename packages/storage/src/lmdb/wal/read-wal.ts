import { readFileSync } from "node:fs";
import { StoreError } from "../../contract/store-error.js";
import type { WalPlace } from "../wal-place.js";
import { headAt, isWhole, paddedLength, pageBytes, recordAt } from "./wal-record.js";

/** The whole file; undefined when there is none. */
export function readWalFile(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw err;
  }
}

export interface WalRecords {
  /** In order, each with the place behind it. */
  readonly records: readonly { readonly record: Buffer; readonly next: WalPlace }[];
  /** Behind the last of them stands one that is not whole: a write that was under way and not acknowledged, or damage. */
  readonly isTorn: boolean;
}

/**
 * The records from a place on. A last one that is not whole counts as not there.
 * @throws StoreError "unreadable" when one is damaged and others follow: each is begun only when the one before is on disk.
 */
export function readRecords(file: Buffer, from: WalPlace): WalRecords {
  const records: { record: Buffer; next: WalPlace }[] = [];
  for (let place = from; ; ) {
    const record = recordAt(file, place) ?? wrappedRecord(file, place);
    if (record === undefined) {
      refuseIfAnyFollows(file, place);
      return { records, isTorn: isBegun(file, place.at, place) || isBegun(file, 0, place) };
    }
    const { epoch, sequence } = place;
    place = { epoch, sequence: sequence + 1, at: record.byteOffset - file.byteOffset + paddedLength(record.length) };
    records.push({ record, next: place });
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

/**
 * Whether something here looks like this record, and is not whole. What an earlier round of the ring left here is whole, or in
 * the middle of a record. Two of the head's three marks are enough, so that one damaged byte hides nothing.
 */
function isBegun(file: Buffer, at: number, { epoch, sequence }: WalPlace): boolean {
  const head = headAt(file, at, { anyMark: true });
  if (head === undefined || isWhole(file, at)) return false;
  return [head.isMarked, head.epoch === epoch, head.sequence === sequence].filter(Boolean).length >= 2;
}
