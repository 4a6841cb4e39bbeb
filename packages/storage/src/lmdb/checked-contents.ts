import { checksumOf, decodeBlock, isBlockWhole } from "./index-block.js";
import { ChangeReader, isHeadWhole, isValueWhole } from "./log-record.js";
import { type Position, positionKeys } from "./position.js";
import type { StoreDamage } from "./store-damage.js";
import { addSum, firstMeta, noSums, openLease, type SetOfSums, type StoreMeta, sumOfLease } from "./store-meta.js";

/** A change as far as it could be read. */
interface CheckedChange {
  readonly revision: number;
  readonly sub: number;
  /** Undefined: its head is damaged. */
  readonly key: string | undefined;
  readonly isPut: boolean;
  readonly isLast: boolean;
}

/**
 * The rows of a data file, checked one by one as they are read, and against each other when all have been: a lost page takes
 * rows with it that nothing else would miss.
 */
export class CheckedContents {
  readonly #report: (damage: StoreDamage) => void;
  readonly #changes: CheckedChange[] = [];
  readonly #blocks: { readonly block: number; readonly bytes: Buffer }[] = [];
  #leases: SetOfSums = noSums;

  constructor(report: (damage: StoreDamage) => void) {
    this.#report = report;
  }

  get changes(): number {
    return this.#changes.length;
  }

  get blocks(): number {
    return this.#blocks.length;
  }

  add(table: "log" | "index" | "leases", key: Buffer, data: Buffer): void {
    if (table === "log") this.#addChange(positionKeys.readKey(key, 0), data);
    else if (table === "index") this.#blocks.push({ block: key.readUInt32LE(0), bytes: data });
    else this.#addLease(key.readUInt32LE(0), data);
  }

  /** Where pages are damaged, what was on them is missing, and only what can be named is reported on top of that. */
  compare(meta: StoreMeta, { arePagesWhole }: { arePagesWhole: boolean }): void {
    const keys = this.#compareIndex(meta);
    this.#compareLog(meta, arePagesWhole);
    if (!arePagesWhole) return;
    if (keys !== undefined && keys !== meta.keys) this.#damage(`it has ${keys} keys instead of ${meta.keys}`);
    if (this.#changes.length !== meta.changes)
      this.#damage(`its log has ${this.#changes.length} changes instead of ${meta.changes}`);
    if (!isSame(this.#leases, meta.leases))
      this.#damage(`it has other leases than the ${meta.leases.count} that were granted`);
  }

  #addChange(position: Position, bytes: Buffer): void {
    const { revision, sub } = position;
    if (!isHeadWhole(bytes, position)) {
      this.#damage(`change ${sub + 1} of revision ${revision} is not as it was written`, { revision });
      this.#changes.push({ revision, sub, key: undefined, isPut: false, isLast: false });
      return;
    }
    const { key, isPut, isLast } = new ChangeReader(bytes);
    this.#changes.push({ revision, sub, key, isPut, isLast });
    if (!isValueWhole(bytes)) this.#damage("the value is not as it was written", { key, revision });
  }

  #addLease(lease: number, data: Buffer): void {
    this.#leases = addSum(this.#leases, sumOfLease(lease));
    try {
      openLease(lease, JSON.parse(data.toString()));
    } catch {
      this.#damage(`lease ${lease} is not as it was written`);
    }
  }

  /** Every key of the index has its change in the log. @returns how many keys there are; undefined when blocks are damaged */
  #compareIndex(meta: StoreMeta): number | undefined {
    const live = new Map<string, Position>();
    let sums = noSums;
    let isWhole = true;
    for (const { block, bytes } of this.#blocks) {
      // Of a checkpoint that was never finished.
      if (block > meta.lastBlock) continue;
      if (!isBlockWhole(bytes, block)) {
        this.#damage(`block ${block} of the index is not as it was written`);
        isWhole = false;
        continue;
      }
      sums = addSum(sums, checksumOf(bytes));
      const { keys, values } = decodeBlock(bytes);
      for (const [i, key] of keys.entries()) live.set(key, values[i]!);
    }
    if (isWhole && !isSame(sums, meta.blocks))
      this.#damage(`its index has other blocks than the ${meta.blocks.count} that were written last`);
    const there = new Set<string>();
    for (const change of this.#changes) {
      there.add(placeOf(change));
      if (change.revision <= meta.checkpoint || change.key === undefined) continue;
      if (change.isPut) live.set(change.key, change);
      else live.delete(change.key);
    }
    for (const [key, position] of live)
      if (!there.has(placeOf(position))) this.#damage("the value is missing", { key, revision: position.revision });
    return isWhole ? live.size : undefined;
  }

  /** Behind the compaction no change has ever been removed. */
  #compareLog({ compacted, revision }: StoreMeta, arePagesWhole: boolean): void {
    let due = { revision: Math.max(compacted, firstMeta.revision) + 1, sub: 0 };
    for (const change of this.#changes) {
      if (change.revision < due.revision) continue;
      if (placeOf(change) !== placeOf(due)) {
        if (arePagesWhole) this.#damage(`changes are missing in the log from revision ${due.revision} on`, due);
        return;
      }
      // Whether others follow is not known where the head is damaged, which has been reported.
      if (change.key === undefined) return;
      due = change.isLast ? { revision: due.revision + 1, sub: 0 } : { revision: due.revision, sub: due.sub + 1 };
    }
    if (due.revision === revision + 1) return;
    if (due.revision > revision + 1)
      this.#damage(`its log goes on to revision ${due.revision - 1}, and should end at ${revision}`);
    else if (arePagesWhole) this.#damage(`changes are missing in the log from revision ${due.revision} on`, due);
  }

  #damage(what: string, { key, revision }: { key?: string; revision?: number } = {}): void {
    this.#report({
      file: "data.mdb",
      what,
      ...(key !== undefined && { key }),
      ...(revision !== undefined && { revision }),
    });
  }
}

const placeOf = ({ revision, sub }: Position): string => `${revision}.${sub}`;

const isSame = (a: SetOfSums, b: SetOfSums): boolean => a.count === b.count && a.sum === b.sum;
