/** What a store should be, in the plainest words: a list of everything that happened. */
export interface ModelRecord {
  readonly value: string;
  readonly revision: number;
  readonly createRevision: number;
  readonly version: number;
}

export interface ModelEvent {
  readonly revision: number;
  readonly key: string;
  /** undefined: deleted. */
  readonly record: ModelRecord | undefined;
}

export class ModelStore {
  readonly events: ModelEvent[] = [];
  compacted = 0;
  revision: number;

  constructor(revision: number) {
    this.revision = revision;
  }

  /** Everything at a revision, by key. */
  at(revision: number): Map<string, ModelRecord> {
    const state = new Map<string, ModelRecord>();
    for (const event of this.events) {
      if (event.revision > revision) break;
      if (event.record === undefined) state.delete(event.key);
      else state.set(event.key, event.record);
    }
    return state;
  }

  now(): Map<string, ModelRecord> {
    return this.at(this.revision);
  }

  /** One revision's writes; `undefined` deletes. */
  write(revision: number, writes: readonly { readonly key: string; readonly value: string | undefined }[]): void {
    const before = this.now();
    for (const { key, value } of writes) {
      const old = before.get(key);
      const record =
        value === undefined
          ? undefined
          : { value, revision, createRevision: old?.createRevision ?? revision, version: (old?.version ?? 0) + 1 };
      this.events.push({ revision, key, record });
    }
    this.revision = revision;
  }

  /** Newest first, back to the one that stood at the compaction. */
  history(key: string): { readonly revision: number; readonly value: string | undefined }[] {
    const mine = this.events.filter((event) => event.key === key);
    const standing = mine.findLast((event) => event.revision <= this.compacted);
    const kept = mine.filter(
      (event) => event.revision > this.compacted || (event === standing && event.record !== undefined),
    );
    return kept.reverse().map(({ revision, record }) => ({ revision, value: record?.value }));
  }
}
