import { dirname } from "node:path";
import { type Database, open, type RootDatabase, type Transaction } from "lmdb";
import type { LeaseId } from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";
import { checkRoom, roomFor } from "./disk-room.js";
import { withoutEngineOutput } from "./engine-output.js";
import { endOfLog, type Position, positionKeys } from "./position.js";
import { makePrivateFiles } from "./private-files.js";
import {
  type FormatRecord,
  openFormat,
  openLease,
  openMeta,
  type StoreMeta,
  sealFormat,
  sealLease,
  sealMeta,
} from "./store-meta.js";

/** The writes of one commit. */
export interface Writer {
  /** A change as stored in the log. The caller must not change the bytes until the commit is over. */
  appendChange(position: Position, bytes: Uint8Array): void;
  removeChange(position: Position): void;
  putBlock(block: number, bytes: Buffer): void;
  removeBlock(block: number): void;
  putMeta(meta: StoreMeta): void;
  putLease(lease: LeaseId, ttlMs: number): void;
  removeLease(lease: LeaseId): void;
}

/** What was in the tables when a migration began, as it lay there. */
export interface TablesBefore {
  readonly changes: Iterable<{ readonly position: Position; readonly bytes: Buffer }>;
  readonly blocks: readonly { readonly block: number; readonly bytes: Buffer }[];
  readonly leases: readonly { readonly lease: LeaseId; readonly ttlMs: number }[];
}

/** The writes of a migration: done when they return. Changes come in their order. */
export type SyncWriter = Pick<Writer, "putBlock" | "putLease"> & {
  appendChange(position: Position, bytes: Buffer): void;
};

type ReadTransaction = Transaction;

const ownTables = new Set(["log", "index", "meta", "leases"]);

/** The state of the file to read from; made once for many reads. It stays readable when the file is replaced meanwhile. */
export interface ReadAt {
  readonly transaction: ReadTransaction;
  readonly file: OpenFile;
}

/** A file with its tables, and how many readers hold a state of it. */
interface OpenFile {
  readonly root: RootDatabase<Buffer, string>;
  readonly meta: Database<unknown, string>;
  tables: Tables | undefined;
  readers: number;
  /** Another one has taken its place: it is closed when its last reader is done. */
  replaced: boolean;
}

interface Tables {
  readonly log: Database<Buffer, never>;
  /** The same, with the options that the function takes and its declaration lacks. */
  readonly fast: FastReads;
  readonly blocks: Database<Buffer, number>;
  readonly leases: Database<unknown, number>;
}

interface FastReads {
  getBinaryFast(key: Position, options: ReadAt | undefined): Buffer | Uint8Array | undefined;
}

/** The declaration knows this option only in another overload. */
const append = { append: true } as never;

/** The tables in the file, typed. Nothing else in this folder knows the library. */
export class Environment {
  readonly #directory: string;
  #file: OpenFile;
  readonly #replaced = new Set<OpenFile>();
  #closed = false;

  constructor(file: string) {
    this.#directory = dirname(file);
    makePrivateFiles([file, `${file}-lock`]);
    const root = open<Buffer, string>({
      path: file,
      encoding: "binary",
      maxDbs: 8,
      // A read that spans iterations of the event loop holds one.
      maxReaders: 1000,
      // Address space, not memory; the map grows by itself beyond it.
      mapSize: 4 * 1024 ** 3,
      // A commit is answered when it is on disk, not before.
      overlappingSync: false,
      // Batches are made above; the library's own would delay each by an iteration of the event loop.
      eventTurnBatching: false,
      noSubdir: true,
    });
    if (![...root.getKeys()].every((name) => ownTables.has(name))) {
      void root.close();
      throw new StoreError("unreadable", "it was not written by this program");
    }
    this.#file = {
      root,
      meta: root.openDB<unknown, string>({ name: "meta", encoding: "json" }),
      tables: undefined,
      readers: 0,
      replaced: false,
    };
  }

  get root(): RootDatabase<Buffer, string> {
    return this.#file.root;
  }

  get #meta(): Database<unknown, string> {
    return this.#file.meta;
  }

  get #tables(): Tables {
    return this.#file.tables!;
  }

  /** Not before the format is known to be ours: it makes what is missing. */
  openTables(): void {
    const log = this.root.openDB<Buffer, never>({ name: "log", encoding: "binary", keyEncoder: positionKeys } as {
      name: string;
      encoding: "binary";
    });
    this.#file.tables = {
      log,
      fast: log as unknown as FastReads,
      blocks: this.root.openDB<Buffer, number>({ name: "index", encoding: "binary", keyEncoding: "uint32" }),
      leases: this.root.openDB<unknown, number>({ name: "leases", encoding: "json", keyEncoding: "uint32" }),
    };
  }

  /** undefined: there is none, or it is another program's. @throws StoreError "unreadable" */
  format(): FormatRecord | undefined {
    return openFormat(this.fact("format"));
  }

  /** @throws StoreError "unreadable" */
  meta(): StoreMeta {
    return openMeta(this.fact("state"));
  }

  /** Synchronously and durably: for opening, never while serving. */
  writeFormat(format: FormatRecord): void {
    this.#meta.putSync("format", sealFormat(format));
  }

  /** As `writeFormat`. */
  writeMeta(meta: StoreMeta): void {
    this.#meta.putSync("state", sealMeta(meta));
  }

  /** Whether nothing was ever written to it; its tables may have been made by a process that got no further. */
  isNew(): boolean {
    return this.#meta.getKeysCount({ limit: 1 }) === 0;
  }

  /** Synchronously, in one durable transaction: for opening, never while serving. */
  migrate(change: () => void): void {
    this.root.transactionSync(change);
  }

  /** As `migrate`, for a step that writes all rows anew: what they were, and the same tables, empty. */
  rewrite(change: (before: TablesBefore, writer: SyncWriter) => void): void {
    const { log, blocks, leases } = this.#tables;
    const transaction = this.root.useReadTransaction();
    const query = { transaction, snapshot: false } as never;
    try {
      this.root.transactionSync(() => {
        for (const table of [log, blocks, leases]) table.clearSync();
        change(
          {
            changes: map(log.getRange(query), ({ key, value }) => ({ position: key as Position, bytes: value })),
            blocks: [...blocks.getRange(query)].map(({ key, value }) => ({ block: key, bytes: value })),
            leases: [...leases.getRange(query)].map(({ key, value }) => ({ lease: key, ttlMs: value as number })),
          },
          {
            appendChange: (position, bytes) => void log.putSync(position as never, bytes, append),
            putBlock: (block, bytes) => void blocks.putSync(block, bytes),
            putLease: (lease, ttlMs) => void leases.putSync(lease, sealLease(lease, ttlMs)),
          },
        );
      });
    } finally {
      transaction.done();
    }
  }

  /** A fact by name, as it lies in the file. */
  fact(name: string): unknown {
    return this.#reading(() => this.#meta.get(name), `the record "${name}"`);
  }

  setFact(name: string, value: unknown): void {
    this.#meta.putSync(name, value);
  }

  leases(): { lease: LeaseId; ttlMs: number }[] {
    return this.#reading(() => [...this.#tables.leases.getRange()], "the leases").map(({ key, value }) =>
      openLease(key, value),
    );
  }

  /** Each block that belongs to the last finished checkpoint, and the numbers of those that do not. */
  blocks(lastBlock: number): { blocks: { block: number; bytes: Buffer }[]; leftovers: number[] } {
    const all = this.#reading(() => [...this.#tables.blocks.getRange()], "the index").map(({ key, value }) => ({
      block: key,
      bytes: value,
    }));
    return {
      blocks: all.filter(({ block }) => block <= lastBlock),
      leftovers: all.filter(({ block }) => block > lastBlock).map(({ block }) => block),
    };
  }

  /**
   * The bytes of a change, in a buffer that the next read overwrites. Its `length` is how many of them count; the memory
   * behind it goes on.
   */
  read(position: Position, at?: ReadAt): Buffer | undefined {
    this.#checkOpen();
    try {
      const bytes = (at === undefined ? this.#tables : at.file.tables!).fast.getBinaryFast(position, at);
      // Something that is longer than the library's buffer, as what is damaged may claim to be, is no Buffer.
      return bytes === undefined || Buffer.isBuffer(bytes) ? bytes : viewOf(bytes);
    } catch (err) {
      throw damagedFile(err, `revision ${position.revision} of the log`);
    }
  }

  /** The position of the newest change. */
  newest(): Position | undefined {
    const query = { reverse: true, limit: 1, start: endOfLog as never };
    return this.#reading(() => [...this.#tables.log.getKeys(query)], "the end of the log")[0] as Position | undefined;
  }

  /** Up to `limit` changes from `start` (inclusive), forwards up to `end` (exclusive), or `reverse` down to it; each with bytes of its own. */
  page(query: {
    start: Position;
    end: Position;
    limit: number;
    reverse?: boolean;
  }): { position: Position; bytes: Buffer }[] {
    this.#checkOpen();
    const rows: { position: Position; bytes: Buffer }[] = [];
    this.#reading(() => {
      for (const { key, value } of this.#tables.log.getRange(query as never)) {
        rows.push({ position: key as Position, bytes: viewOf(value as Uint8Array) });
      }
    }, `the log from revision ${query.start.revision} on`);
    return rows;
  }

  /** To be given back with `doneReading`. */
  readAt(): ReadAt {
    this.#checkOpen();
    this.#file.readers += 1;
    return { transaction: this.root.useReadTransaction(), file: this.#file };
  }

  doneReading({ transaction, file }: ReadAt): void {
    transaction.done();
    file.readers -= 1;
    this.#closeReplaced(file);
  }

  /**
   * From now on this is the other one's file; the other must not be used any more. Who reads a state of the old file goes on
   * reading it, so both must hold the same.
   */
  takeOver(other: Environment): void {
    const old = this.#file;
    this.#file = other.#file;
    old.replaced = true;
    this.#replaced.add(old);
    this.#closeReplaced(old);
  }

  #closeReplaced(file: OpenFile): void {
    if (!file.replaced || file.readers > 0 || !this.#replaced.delete(file)) return;
    // Nothing is lost when it fails: no name leads to this file any more.
    file.root.close().catch(() => undefined);
  }

  /**
   * All of it in one transaction of the file, durable when it resolves. Rejects with the library's error, or with ENOSPC where the disk
   * may be too full. @param room that it may need
   */
  async commit(write: (writer: Writer) => void, room = roomFor(0)): Promise<void> {
    await checkRoom(this.#directory, room);
    return withoutEngineOutput(() => this.#commit(write));
  }

  async #commit(write: (writer: Writer) => void): Promise<void> {
    const results: Promise<boolean>[] = [];
    const batch = this.root.batch(() =>
      write({
        // Appending keeps pages full; a put in the middle would leave each of them half empty.
        appendChange: (position, bytes) =>
          void results.push(this.#tables.log.put(position as never, bytes as Buffer, append)),
        removeChange: (position) => void results.push(this.#tables.log.remove(position as never)),
        putBlock: (block, bytes) => void results.push(this.#tables.blocks.put(block, bytes)),
        removeBlock: (block) => void results.push(this.#tables.blocks.remove(block)),
        putMeta: (meta) => void results.push(this.#meta.put("state", sealMeta(meta))),
        putLease: (lease, ttlMs) => void results.push(this.#tables.leases.put(lease, sealLease(lease, ttlMs))),
        removeLease: (lease) => void results.push(this.#tables.leases.remove(lease)),
      }),
    );
    try {
      // A rejection of any of them is one of all of them: they are one transaction.
      const answers = await Promise.all([batch, ...results]);
      if (answers.includes(false))
        throw new StoreError(
          "outcome-unknown",
          "the log did not take a change at its end: another process may be writing to it",
        );
    } catch (err) {
      throw await causeOf(err);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.root.close(), ...[...this.#replaced].map(({ root }) => root.close())]);
  }

  #checkOpen(): void {
    if (this.#closed) throw new StoreError("closed", "the store is closed");
  }

  #reading<T>(read: () => T, what: string): T {
    try {
      return read();
    } catch (err) {
      throw damagedFile(err, what);
    }
  }
}

function* map<T, U>(items: Iterable<T>, to: (item: T) => U): Generator<U, void> {
  for (const item of items) yield to(item);
}

const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The library throws where a page is none of its own, and JSON where a record is no JSON. */
const damagedFile = (err: unknown, what: string): StoreError =>
  new StoreError(
    "unreadable",
    `data.mdb is damaged: ${what} cannot be read (${err instanceof Error ? err.message : String(err)})`,
    { cause: err },
  );

/** The library reports the reason of a failed commit in a promise of its own, which must not stay unhandled. */
async function causeOf(err: unknown): Promise<unknown> {
  if (!(err instanceof Error) || !("commitError" in err)) return err;
  return Promise.resolve(err.commitError).then(
    () => err,
    (cause: unknown) => cause ?? err,
  );
}
