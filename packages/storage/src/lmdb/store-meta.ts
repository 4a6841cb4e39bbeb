import { crc32 } from "node:zlib";
import type { LeaseId } from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";
import { lastSub, type Position } from "./position.js";
import type { WalPlace } from "./wal-place.js";

/** What is not in the log or the index, and how much is. Every transaction of the file writes it. */
export interface StoreMeta {
  /** Of the last write that is in the file. */
  readonly revision: number;
  readonly compacted: number;
  /** Everything that compaction made superfluous up to here has been removed. */
  readonly scrubbed: Position;
  /** The index on disk is that of this revision; later changes are read from the log. */
  readonly checkpoint: number;
  /** Blocks of the index with a higher number belong to a checkpoint that was never finished. */
  readonly lastBlock: number;
  readonly lastLease: LeaseId;
  /** How many keys there are at `revision`. */
  readonly keys: number;
  /** How many changes are in the log. */
  readonly changes: number;
  /** The blocks of the finished checkpoint: how many, and the exclusive or of their checksums. */
  readonly blocks: SetOfSums;
  /** The leases: how many, and the exclusive or of the checksums of their numbers. */
  readonly leases: SetOfSums;
  /**
   * What stands in the write-ahead log from here on is not in this file yet; undefined: nothing does, because the store was
   * closed, or never had a log.
   */
  readonly wal?: (WalPlace & { readonly bytes: number }) | undefined;
}

/** Which members a set has, without a list of them: one that is lost, or comes back, makes a difference. */
export interface SetOfSums {
  readonly count: number;
  readonly sum: number;
}

export const noSums: SetOfSums = { count: 0, sum: 0 };

export const addSum = ({ count, sum }: SetOfSums, one: number): SetOfSums => ({
  count: count + 1,
  sum: (sum ^ one) >>> 0,
});

export const removeSum = ({ count, sum }: SetOfSums, one: number): SetOfSums => ({
  count: count - 1,
  sum: (sum ^ one) >>> 0,
});

export const sumOfLease = (lease: LeaseId): number => crc32(`lease ${lease}`);

export const firstMeta: StoreMeta = {
  revision: 1,
  compacted: 0,
  scrubbed: { revision: 0, sub: lastSub },
  checkpoint: 1,
  lastBlock: 0,
  lastLease: 0,
  keys: 0,
  changes: 0,
  blocks: noSums,
  leases: noSums,
};

/** The facts as they lie in the file, with a checksum of themselves. */
export const sealMeta = (meta: StoreMeta): unknown => ({ ...meta, checksum: checksumOfJson(meta) });

/** @throws StoreError "unreadable" when it is not as it was written */
export function openMeta(kept: unknown): StoreMeta {
  if (typeof kept !== "object" || kept === null || !("checksum" in kept))
    throw new StoreError("unreadable", "the record of what the store holds is missing");
  const { checksum, ...meta } = kept;
  if (checksum !== checksumOfJson(meta))
    throw new StoreError("unreadable", "the record of what the store holds is damaged");
  return meta as StoreMeta;
}

/** Members keep their order through JSON. */
const checksumOfJson = (value: object): number => crc32(JSON.stringify(value));

/** A lease as it lies in the file: its time to live, and a checksum that its number is part of. */
export const sealLease = (lease: LeaseId, ttlMs: number): unknown => [ttlMs, crc32(`${lease} ${ttlMs}`)];

/** @throws StoreError "unreadable" */
export function openLease(lease: LeaseId, kept: unknown): { readonly lease: LeaseId; readonly ttlMs: number } {
  if (Array.isArray(kept) && kept[1] === crc32(`${lease} ${kept[0]}`)) return { lease, ttlMs: kept[0] as number };
  throw new StoreError("unreadable", `lease ${lease} is damaged`);
}

export interface FormatRecord {
  readonly store: "coxswain";
  readonly format: number;
}

/** The last format whose record had no checksum. */
const lastPlainFormat = 2;

export const sealFormat = ({ store, format }: FormatRecord): unknown =>
  format <= lastPlainFormat ? { store, format } : { store, format, checksum: crc32(`${store} ${format}`) };

/**
 * A wrong number here would migrate what is up to date already, so a record with a checksum is never taken for an old one.
 * @returns undefined when it is not one of ours
 * @throws StoreError "unreadable" when it is damaged
 */
export function openFormat(kept: unknown): FormatRecord | undefined {
  if (typeof kept !== "object" || kept === null) return undefined;
  const { store, format, ...more } = kept as Partial<FormatRecord>;
  if (store !== "coxswain" || format === undefined || !Number.isSafeInteger(format)) return undefined;
  const wanted = sealFormat({ store, format }) as { checksum?: number };
  if (JSON.stringify(more) !== JSON.stringify(wanted.checksum === undefined ? {} : { checksum: wanted.checksum }))
    throw new StoreError("unreadable", "the record of the store's format is damaged");
  return { store, format };
}
