import type { Scheduler } from "@coxswain/runtime/scheduler";
import type { KeyRecord, Note, UnreadableValue } from "../contract/key-value-store.js";
import { damagedValue, hasStoreReason, StoreError, unreadableValueError } from "../contract/store-error.js";
import { type Change, damagedRecord, type Pin, recordOf } from "../local/index.js";
import type { Environment, ReadAt } from "./environment.js";
import { BackwardGaps, damagedChange, differs, isGone, missingChange } from "./log-damage.js";
import { ChangeReader, isHeadWhole, isValueWhole, LogEntry, valueStart } from "./log-record.js";
import { endOfLog, lastSub, type Position } from "./position.js";
import { firstMeta } from "./store-meta.js";
import { ValueSlab } from "./value-slab.js";
import type { EncodedChange } from "./wal/batch-record.js";
import { findChange, indexOf } from "./wal/pending-batches.js";

const rowsPerPage = 256;
/** What looking at a row costs. */
const microsPerRow = 1;

/** Keeps a state of the file for a reader, and room for the values it reads: many small copies would cost more than one large one. */
export class LogPin implements Pin {
  readonly values = new ValueSlab(256 * 1024);
  /** What was not in the file yet. */
  readonly pending: readonly EncodedChange[];
  readonly #env: Environment;
  readonly #onRelease: () => void;
  #at: ReadAt | undefined;

  constructor(env: Environment, pending: readonly EncodedChange[], onRelease: () => void) {
    this.#env = env;
    this.pending = pending;
    this.#at = env.readAt();
    this.#onRelease = onRelease;
  }

  get at(): ReadAt {
    if (this.#at === undefined) throw new StoreError("closed", "the store was closed while it was being read");
    return this.#at;
  }

  /** Once; after that does nothing. */
  release(): void {
    if (this.#at !== undefined) this.#env.doneReading(this.#at);
    this.#at = undefined;
    this.#onRelease();
  }
}

interface VersionsSearch {
  readonly upTo: number;
  readonly compacted: number;
  readonly scheduler: Pick<Scheduler, "yield">;
}

type Page = { readonly start: Position; readonly end: Position; readonly limit: number; readonly reverse?: boolean };

/**
 * Reading the log: values by position, changes by revision, versions by key. What is not in the file yet is read from memory.
 * What comes from the file is checked against its checksums before anybody sees it.
 */
export class RevisionLog {
  readonly #env: Environment;
  readonly #pending: () => readonly EncodedChange[];
  readonly #compacted: () => number;
  readonly #values = new ValueSlab(16 * 1024);

  /** `compacted`: what changes up to this revision replaced may have been removed. */
  constructor(env: Environment, pending: () => readonly EncodedChange[], compacted: () => number) {
    this.#env = env;
    this.#pending = pending;
    this.#compacted = compacted;
  }

  /** undefined: there is none at its position. One that cannot be read is a record with `damage`. */
  record(key: string, entry: LogEntry, pin?: LogPin): KeyRecord | undefined {
    // First: a closed store rejects reads from memory, too.
    const at = pin?.at;
    const pending = findChange(pin?.pending ?? this.#pending(), entry);
    const bytes = pending ?? this.#readFile(entry, at);
    if (bytes === undefined) return undefined;
    if (bytes instanceof StoreError) return damagedRecord(key, entry, bytes.message);
    if (pending === undefined && !(isHeadWhole(bytes, entry) && isValueWhole(bytes)))
      return damagedRecord(key, entry, differs);
    return recordOf(key, entry, (pin?.values ?? this.#values).copy(bytes, valueStart(bytes), bytes.length));
  }

  /** The bytes of a change, good until the next read. @throws StoreError "unreadable" when its head is damaged */
  read(position: Position): Buffer | undefined {
    const pending = findChange(this.#pending(), position);
    if (pending !== undefined) return pending;
    const bytes = this.#env.read(position);
    if (bytes !== undefined && !isHeadWhole(bytes, position)) throw damagedChange(position.revision, differs);
    return bytes;
  }

  /** What a change replaced; undefined once it has been removed. @throws StoreError "unreadable" when it should be there and is not */
  replacedBy(revision: number, key: string, position: Position): LogEntry | undefined {
    const found = this.read(position);
    if (found !== undefined) return new ChangeReader(found).entry(position);
    if (revision <= this.#compacted()) return undefined;
    throw unreadableValueError(damagedValue({ key, revision: position.revision }, isGone));
  }

  #readFile(position: Position, at: ReadAt | undefined): Buffer | StoreError | undefined {
    try {
      return this.#env.read(position, at);
    } catch (err) {
      if (hasStoreReason(err, "unreadable")) return err as StoreError;
      throw err;
    }
  }

  /**
   * Every change after one revision up to another. Both lie at or behind the compaction, so none of them can have been removed.
   * @throws StoreError "unreadable" when one is missing, or its head is damaged
   */
  *changes(after: number, upTo: number): Generator<LoggedChange, void> {
    let start: Position = { revision: after + 1, sub: 0 };
    // The first write of a store has the revision after this.
    let due: Position = { revision: Math.max(after, firstMeta.revision) + 1, sub: 0 };
    const end: Position = { revision: upTo + 1, sub: 0 };
    for (;;) {
      const rows = this.#page({ start, end, limit: rowsPerPage });
      for (const { position, bytes } of rows) {
        if (position.revision !== due.revision || position.sub !== due.sub) throw missingChange(due);
        const change = new LoggedChange(this, position, bytes);
        due = change.isLast ? { revision: due.revision + 1, sub: 0 } : { revision: due.revision, sub: due.sub + 1 };
        yield change;
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < rowsPerPage) break;
      start = { revision: last.position.revision, sub: last.position.sub + 1 };
    }
    if (isBefore(due, end)) throw missingChange(due);
  }

  /** `newest`: where the key's newest value lies, if it has one. */
  async *versions(
    key: string,
    { upTo, compacted, newest, scheduler }: VersionsSearch & { readonly newest: Position | undefined },
  ): AsyncGenerator<LoggedChange, void> {
    let at = newest;
    let foundBy = Infinity;
    // From the very end: the change that ended what stood at `upTo` is the one that knows where that lies.
    let before = endOfLog;
    for (;;) {
      // What a key's value replaced is known; what was there in an earlier life must be searched for.
      at ??= await this.#findBefore(key, before, { upTo, compacted, scheduler });
      if (at === undefined) return;
      const found = this.read(at);
      if (found === undefined) {
        // It was compacted meanwhile.
        if (foundBy <= this.#compacted()) return;
        throw unreadableValueError(damagedValue({ key, revision: at.revision }, isGone));
      }
      const change = new LoggedChange(
        this,
        at,
        Buffer.from(new Uint8Array(found.buffer, found.byteOffset, found.length)),
      );
      if (change.revision <= upTo) yield change;
      // This one stood at the compaction; what came before it is forgotten.
      if (change.revision <= compacted) return;
      before = at;
      foundBy = change.revision;
      at = change.previousPosition;
    }
  }

  async #findBefore(
    key: string,
    before: Position,
    { upTo, compacted, scheduler }: VersionsSearch,
  ): Promise<Position | undefined> {
    const wanted = Buffer.from(key);
    const end: Position = { revision: compacted, sub: lastSub };
    const gaps = new BackwardGaps(before, upTo, Math.max(compacted, firstMeta.revision));
    let start = before;
    for (;;) {
      const rows = this.#page({ start, end, limit: rowsPerPage, reverse: true });
      // What was compacted meanwhile is missing for a reason.
      const isAll = this.#compacted() === compacted;
      for (const { position, bytes } of rows) {
        const change = new ChangeReader(bytes);
        if (isAll) gaps.step(position, change.isLast);
        if (isBefore(position, before) && change.hasKey(wanted)) return position;
      }
      const last = rows.at(-1)?.position;
      if (last === undefined || rows.length < rowsPerPage) {
        if (isAll) gaps.end();
        return undefined;
      }
      start =
        last.sub > 0 ? { revision: last.revision, sub: last.sub - 1 } : { revision: last.revision - 1, sub: lastSub };
      const pause = scheduler.yield(rows.length * microsPerRow);
      if (pause) await pause;
    }
  }

  /** As of the file. What is pending lies behind all that is in the file. @throws StoreError "unreadable" when the head of one is damaged */
  #filePage(page: Page): { position: Position; bytes: Buffer }[] {
    const rows = this.#env.page(page);
    for (const { position, bytes } of rows)
      if (!isHeadWhole(bytes, position)) throw damagedChange(position.revision, differs);
    return rows;
  }

  #page({ start, end, limit, reverse = false }: Page): { position: Position; bytes: Buffer }[] {
    const pending = this.#pending();
    const first = pending[0];
    if (first === undefined) return this.#filePage({ start, end, limit, reverse });
    if (reverse) {
      const rows = pending
        .slice(indexOf(pending, after(end)), indexOf(pending, after(start)))
        .slice(-limit)
        .reverse()
        .map(copyOf);
      const before = { revision: first.revision - 1, sub: lastSub };
      return rows.length === limit
        ? rows
        : [
            ...rows,
            ...this.#filePage({
              start: isBefore(start, before) ? start : before,
              end,
              limit: limit - rows.length,
              reverse,
            }),
          ];
    }
    const rows = isBefore(start, first)
      ? this.#filePage({ start, end: isBefore(end, first) ? end : first, limit })
      : [];
    const from = indexOf(pending, start);
    return [...rows, ...pending.slice(from, Math.min(indexOf(pending, end), from + limit - rows.length)).map(copyOf)];
  }
}

const isBefore = (a: Position, b: Position): boolean =>
  a.revision < b.revision || (a.revision === b.revision && a.sub < b.sub);

const after = ({ revision, sub }: Position): Position =>
  sub === lastSub ? { revision: revision + 1, sub: 0 } : { revision, sub: sub + 1 };

/** The memory of what is pending is used again. */
const copyOf = ({ revision, sub, bytes }: EncodedChange): { position: Position; bytes: Buffer } => ({
  position: { revision, sub },
  bytes: Buffer.from(bytes),
});

/** A change read back from the log. */
export class LoggedChange implements Change<LogEntry> {
  readonly revision: number;
  readonly key: string;
  readonly position: Position;
  readonly #log: RevisionLog;
  readonly #reader: ChangeReader;
  readonly #bytes: Buffer;
  #isWhole: boolean | undefined;

  constructor(log: RevisionLog, position: Position, bytes: Buffer) {
    this.#log = log;
    this.position = position;
    this.revision = position.revision;
    this.#bytes = bytes;
    this.#reader = new ChangeReader(bytes);
    this.key = this.#reader.key;
  }

  get entry(): LogEntry | undefined {
    return this.#reader.entry(this.position);
  }

  get isLast(): boolean {
    return this.#reader.isLast;
  }

  get value(): Uint8Array | undefined {
    return this.#reader.isPut
      ? new Uint8Array(
          this.#bytes.buffer,
          this.#bytes.byteOffset + this.#reader.valueStart,
          this.#bytes.length - this.#reader.valueStart,
        )
      : undefined;
  }

  get unreadable(): UnreadableValue | undefined {
    if (!this.#reader.isPut || (this.#isWhole ??= isValueWhole(this.#bytes))) return undefined;
    return damagedValue(this, differs);
  }

  get note(): Note | undefined {
    return this.#reader.note;
  }

  get previousPosition(): Position | undefined {
    return this.#reader.previous;
  }

  /** Read when asked for; gone once it has been scrubbed. */
  get previous(): LogEntry | undefined {
    const position = this.#reader.previous;
    return position && this.#log.replacedBy(this.revision, this.key, position);
  }
}
