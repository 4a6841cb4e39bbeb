import type { ClusterAccess } from "../access/index.js";
import { assertCurrent, type MadeFrom, type SourceObject, sourcesOf } from "./source.js";
import {
  formatRecord,
  isInDoubt,
  isSameMaking,
  readRecord,
  recordKey,
  recordOf,
  type SourceRecord,
} from "./source-record.js";

export interface GuardedWrite {
  readonly madeFrom: MadeFrom;
  readonly fieldManager: string;
  /** Of the configuration, where one is applied. */
  readonly digest?: string;
}

/** Compares what a write is computed from with what the object that is there was computed from. */
export class SourceGuard {
  readonly #access: ClusterAccess;
  readonly #sources: readonly SourceObject[];
  readonly #ours: SourceRecord;
  /** The annotation that holds the record. */
  readonly key: string;

  constructor(access: ClusterAccess, { madeFrom, fieldManager, digest }: GuardedWrite) {
    this.#access = access;
    this.#sources = sourcesOf(madeFrom);
    this.#ours = recordOf(this.#sources, digest);
    this.key = recordKey(fieldManager);
  }

  /** Whether the object was made from the very same. Without sources there is nothing to compare. */
  isSame(present: object | undefined): boolean {
    if (this.#sources.length === 0) return true;
    const recorded = present && readRecord(present, this.key);
    return recorded !== undefined && isSameMaking(recorded, this.#ours);
  }

  /** `present`: what the write would replace; undefined: it would create. @throws StaleSourceError where something newer was there */
  async assertNotOlder(present: object | undefined): Promise<void> {
    const recorded = present && readRecord(present, this.key);
    const isClear = present !== undefined && !(recorded && isInDoubt(recorded, this.#ours));
    if (!isClear) for (const source of this.#sources) await assertCurrent(this.#access, source);
  }

  /** The annotation to write. The same content stays as old as it was: a newer status of its source is not worth a write. */
  recordFor(present: object | undefined): Record<string, string> {
    if (this.#sources.length === 0) return {};
    const recorded = present && this.isSame(present) ? readRecord(present, this.key) : undefined;
    return { [this.key]: formatRecord(recorded ?? this.#ours) };
  }
}
