import { macrotask } from "@coxswain/runtime/event-loop";
import type { KeyRecord, Note } from "../key-value-store.js";
import { recordOf, type Change, type Pin } from "../local/index.js";
import { StoreError } from "../store-error.js";
import type { Environment, ReadAt } from "./environment.js";
import { ChangeReader, LogEntry, valueStart } from "./log-record.js";
import { endOfLog, lastSub, type Position } from "./position.js";
import { ValueSlab } from "./value-slab.js";
import type { EncodedChange } from "./wal/batch-record.js";
import { findChange, indexOf } from "./wal/pending-batches.js";

const rowsPerPage = 256;
const rowsPerTurn = 2_000;

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

type Page = { readonly start: Position; readonly end: Position; readonly limit: number; readonly reverse?: boolean };

/** Reading the log: values by position, changes by revision, versions by key. What is not in the file yet is read from memory. */
export class RevisionLog {
  readonly #env: Environment;
  readonly #pending: () => readonly EncodedChange[];
  readonly #values = new ValueSlab(16 * 1024);

  constructor(env: Environment, pending: () => readonly EncodedChange[]) {
    this.#env = env;
    this.#pending = pending;
  }

  record(key: string, entry: LogEntry, pin?: LogPin): KeyRecord | undefined {
    const bytes = this.read(entry, pin);
    if (bytes === undefined) return undefined;
    return recordOf(key, entry, (pin?.values ?? this.#values).copy(bytes, valueStart(bytes), bytes.length));
  }

  /** The bytes of a change, good until the next read. */
  read(position: Position, pin?: LogPin): Buffer | undefined {
    // First: a closed store rejects reads from memory, too.
    const at = pin?.at;
    return findChange(pin?.pending ?? this.#pending(), position) ?? this.#env.read(position, at);
  }

  *changes(after: number, upTo: number): Generator<LoggedChange, void> {
    let start: Position = { revision: after + 1, sub: 0 };
    const end: Position = { revision: upTo + 1, sub: 0 };
    for (;;) {
      const rows = this.#page({ start, end, limit: rowsPerPage });
      for (const { position, bytes } of rows) yield new LoggedChange(this, position, bytes);
      const last = rows.at(-1);
      if (last === undefined || rows.length < rowsPerPage) return;
      start = { revision: last.position.revision, sub: last.position.sub + 1 };
    }
  }

  /** `newest`: where the key's newest value lies, if it has one. */
  async *versions(
    key: string,
    { upTo, compacted, newest }: { upTo: number; compacted: number; newest: Position | undefined },
  ): AsyncGenerator<LoggedChange, void> {
    let at = newest;
    // From the very end: the change that ended what stood at `upTo` is the one that knows where that lies.
    let before = endOfLog;
    for (;;) {
      // What a key's value replaced is known; what was there in an earlier life must be searched for.
      at ??= await this.#findBefore(key, before, compacted);
      if (at === undefined) return;
      const found = this.read(at);
      if (found === undefined) return;
      const change = new LoggedChange(
        this,
        at,
        Buffer.from(new Uint8Array(found.buffer, found.byteOffset, found.length)),
      );
      if (change.revision <= upTo) yield change;
      // This one stood at the compaction; what came before it is forgotten.
      if (change.revision <= compacted) return;
      before = at;
      at = change.previousPosition;
    }
  }

  async #findBefore(key: string, before: Position, compacted: number): Promise<Position | undefined> {
    const wanted = Buffer.from(key);
    const end: Position = { revision: compacted, sub: lastSub };
    let seen = 0;
    let start = before;
    for (;;) {
      const rows = this.#page({ start, end, limit: rowsPerPage, reverse: true });
      for (const { position, bytes } of rows) {
        if (isBefore(position, before) && new ChangeReader(bytes).hasKey(wanted)) return position;
      }
      const last = rows.at(-1)?.position;
      if (last === undefined || rows.length < rowsPerPage) return undefined;
      start =
        last.sub > 0 ? { revision: last.revision, sub: last.sub - 1 } : { revision: last.revision - 1, sub: lastSub };
      seen += rows.length;
      if (seen >= rowsPerTurn) {
        seen = 0;
        await macrotask();
      }
    }
  }

  /** As of the file. What is pending lies behind all that is in the file. */
  #page({ start, end, limit, reverse = false }: Page): { position: Position; bytes: Buffer }[] {
    const pending = this.#pending();
    const first = pending[0];
    if (first === undefined) return this.#env.page({ start, end, limit, reverse });
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
            ...this.#env.page({
              start: isBefore(start, before) ? start : before,
              end,
              limit: limit - rows.length,
              reverse,
            }),
          ];
    }
    const rows = isBefore(start, first)
      ? this.#env.page({ start, end: isBefore(end, first) ? end : first, limit })
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

  get value(): Uint8Array | undefined {
    return this.#reader.isPut
      ? new Uint8Array(
          this.#bytes.buffer,
          this.#bytes.byteOffset + this.#reader.valueStart,
          this.#bytes.length - this.#reader.valueStart,
        )
      : undefined;
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
    const found = position && this.#log.read(position);
    return found && new ChangeReader(found).entry(position);
  }
}
