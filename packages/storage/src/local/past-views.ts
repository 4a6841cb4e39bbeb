import type { Scheduler } from "@coxswain/runtime/scheduler";
import { StoreError } from "../contract/store-error.js";
import type { SortedMap } from "../sorted-map/index.js";
import type { IndexEntry, Journal } from "./journal.js";
import type { StoreReach, StoreState } from "./plan-batch.js";

/** How many past indexes are kept; a paged read comes back for the same one. */
const keptViews = 4;
const changesPerPortion = 500;
/** What undoing a change costs: it is read from the journal. */
const microsPerChange = 5;

export interface PastViewsOptions<E extends IndexEntry> {
  readonly journal: Journal<E>;
  readonly scheduler: Pick<Scheduler, "yield">;
  readonly state: () => StoreState<E>;
  readonly reached: () => StoreReach;
}

/**
 * The index as it was at a past revision. It is made by undoing later changes in a copy of a newer one; the copy shares all that
 * did not change, so it costs as much as happened since.
 */
export class PastViews<E extends IndexEntry> {
  readonly #journal: Journal<E>;
  readonly #state: () => StoreState<E>;
  readonly #reached: () => StoreReach;
  readonly #scheduler: Pick<Scheduler, "yield">;
  readonly #kept = new Map<number, SortedMap<E>>();

  constructor({ journal, scheduler, state, reached }: PastViewsOptions<E>) {
    this.#journal = journal;
    this.#scheduler = scheduler;
    this.#state = state;
    this.#reached = reached;
  }

  async at(revision: number): Promise<SortedMap<E>> {
    this.check(revision);
    const now = this.#state();
    if (revision === now.revision) return now.index;
    let base = { revision: now.revision, index: now.index };
    for (const [known, index] of this.#kept)
      if (known >= revision && known < base.revision) base = { revision: known, index };
    const index = base.revision === revision ? base.index : await this.#undo(base, revision);
    this.#kept.delete(revision);
    this.#kept.set(revision, index);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= keptViews) break;
      this.#kept.delete(oldest);
    }
    return index;
  }

  /** Rejects what is compacted or not there yet. */
  check(revision: number): void {
    const { revision: newest, compacted } = this.#reached();
    if (revision < compacted)
      throw new StoreError("expired", `revision ${revision} is compacted: history begins at ${compacted}`);
    if (revision > newest)
      throw new StoreError("future", `revision ${revision} is not there yet: the store is at ${newest}`);
  }

  forgetBefore(revision: number): void {
    for (const known of this.#kept.keys()) if (known < revision) this.#kept.delete(known);
  }

  async #undo(base: { revision: number; index: SortedMap<E> }, revision: number): Promise<SortedMap<E>> {
    const editor = base.index.edit();
    const undone = new Set<string>();
    let after = revision;
    while (after < base.revision) {
      let left = changesPerPortion;
      let reached = base.revision;
      for (const change of this.#journal.changes(after, base.revision)) {
        if (left-- <= 0 && change.revision !== reached) break;
        reached = change.revision;
        // Oldest first: what stood before a key's first change is what stood at that revision.
        if (undone.has(change.key)) continue;
        undone.add(change.key);
        if (change.previous === undefined) editor.delete(change.key);
        else editor.set(change.key, change.previous);
      }
      after = left < 0 ? reached : base.revision;
      const pause = after < base.revision && this.#scheduler.yield(changesPerPortion * microsPerChange);
      if (!pause) continue;
      await pause;
      this.check(revision);
    }
    return editor.done();
  }
}
