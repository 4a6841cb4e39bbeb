import { isCheck } from "../contract/is-check.js";
import type { DeleteWrite, LeaseId, Note, PutWrite, Write } from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";
import { compareKeys, type SortedMap } from "../sorted-map/index.js";
import type { Batch, Change, IndexEntry, Journal, LeaseChange } from "./journal.js";
import type { LeaseTable } from "./lease-table.js";
import type { Outcome, Request } from "./request.js";
import { writtenLater } from "./written-later.js";

/** How far a store is. */
export interface StoreReach {
  readonly revision: number;
  readonly compacted: number;
}

/** Everything that is durable at one moment; it never changes. */
export interface StoreState<E extends IndexEntry> extends StoreReach {
  readonly index: SortedMap<E>;
}

/** What a plan starts from. */
export interface PlanStart<E extends IndexEntry> extends StoreReach {
  readonly index: Pick<SortedMap<E>, "get" | "forEach">;
}

export interface BatchPlan<E extends IndexEntry> {
  /** undefined: nothing changes. */
  readonly batch: Batch<E> | undefined;
  /** One per request, in the same order. */
  readonly outcomes: readonly Outcome<E>[];
}

const isAsExpected = ({ op, expected }: Write, entry: IndexEntry | undefined): boolean =>
  op === "check range" || ((entry?.revision ?? 0) === expected && (op !== "delete" || entry !== undefined));

/** Pure but for the entries it lets the journal make: decides what each request comes to when they are taken in order. */
export function planBatch<E extends IndexEntry>(
  requests: readonly Request[],
  state: PlanStart<E>,
  leases: LeaseTable,
  journal: Pick<Journal<E>, "entryFor">,
): BatchPlan<E> {
  const planner = new BatchPlanner(state, leases, journal);
  const outcomes = requests.map((request) => planner.decide(request));
  return { batch: planner.batch(), outcomes };
}

class BatchPlanner<E extends IndexEntry> {
  readonly #state: PlanStart<E>;
  readonly #leases: LeaseTable;
  readonly #journal: Pick<Journal<E>, "entryFor">;
  readonly #changes: Change<E>[] = [];
  readonly #leaseChanges: LeaseChange[] = [];
  readonly #touched = new Map<string, E | undefined>();
  readonly #ended = new Set<LeaseId>();
  #revision: number;
  #compacted: number | undefined;
  #lastLease: LeaseId;

  constructor(state: PlanStart<E>, leases: LeaseTable, journal: Pick<Journal<E>, "entryFor">) {
    this.#state = state;
    this.#leases = leases;
    this.#journal = journal;
    this.#revision = state.revision;
    this.#lastLease = leases.last;
  }

  decide(request: Request): Outcome<E> {
    switch (request.do) {
      case "put":
        return this.#putOne(request.write);
      case "delete":
        return this.#deleteOne(request.write);
      case "transaction":
        return this.#transaction(request.writes);
      case "grant":
        this.#lastLease += 1;
        this.#leaseChanges.push({ do: "grant", lease: this.#lastLease, ttlMs: request.ttlMs });
        return { kind: "done", revision: this.#revision, previous: undefined, lease: this.#lastLease };
      case "end lease":
        return this.#endLease(request.lease, request.why);
      case "compact":
        return this.#compact(request.revision);
    }
  }

  batch(): Batch<E> | undefined {
    const idle = this.#changes.length === 0 && this.#leaseChanges.length === 0 && this.#compacted === undefined;
    return idle
      ? undefined
      : { revision: this.#revision, changes: this.#changes, leases: this.#leaseChanges, compacted: this.#compacted };
  }

  #entryOf(key: string): E | undefined {
    return this.#touched.has(key) ? this.#touched.get(key) : this.#state.index.get(key);
  }

  #put({ key, value, lease, note }: PutWrite, sub: number, previous: E | undefined): void {
    const placement = {
      key,
      revision: this.#revision,
      sub,
      createRevision: previous?.createRevision ?? this.#revision,
      version: (previous?.version ?? 0) + 1,
      lease,
    };
    const entry = this.#journal.entryFor(placement, value, note);
    this.#changes.push({ revision: this.#revision, key, entry, previous, value, note });
    this.#touched.set(key, entry);
  }

  #remove(key: string, note: Note | undefined, previous: E | undefined): void {
    this.#changes.push({ revision: this.#revision, key, entry: undefined, previous, value: undefined, note });
    this.#touched.set(key, undefined);
  }

  #leaseHasEnded(lease: LeaseId | undefined): lease is LeaseId {
    return lease !== undefined && (!this.#leases.has(lease) || this.#ended.has(lease));
  }

  #refuseLease(lease: LeaseId, key: string): Outcome<E> {
    return {
      kind: "refused",
      error: new StoreError("lease-gone", `lease ${lease} has ended: ${key} was not written`),
    };
  }

  /** As a transaction of one, without what that needs: nearly every write is one of these. */
  #putOne(one: PutWrite): Outcome<E> {
    const { key, lease } = one;
    const entry = this.#entryOf(key);
    if ((entry?.revision ?? 0) !== one.expected)
      return { kind: "conflict", index: 0, key, entry, unsettled: this.#touched.has(key) };
    if (this.#leaseHasEnded(lease)) return this.#refuseLease(lease, key);
    this.#revision += 1;
    this.#put(one, 0, entry);
    return { kind: "done", revision: this.#revision, previous: entry };
  }

  #deleteOne({ key, expected, note }: DeleteWrite): Outcome<E> {
    const entry = this.#entryOf(key);
    if (entry === undefined || entry.revision !== expected)
      return { kind: "conflict", index: 0, key, entry, unsettled: this.#touched.has(key) };
    this.#revision += 1;
    this.#remove(key, note, entry);
    return { kind: "done", revision: this.#revision, previous: entry };
  }

  #transaction(writes: readonly Write[]): Outcome<E> {
    const standing: (E | undefined)[] = [];
    for (const one of writes) {
      const later =
        one.op === "check range" ? writtenLater(one, { touched: this.#touched, index: this.#state.index }) : undefined;
      const { key, entry } = later ?? { key: one.key, entry: this.#entryOf(one.key) };
      if (later || !isAsExpected(one, entry))
        return { kind: "conflict", index: standing.length, key, entry, unsettled: this.#touched.has(key) };
      standing.push(entry);
    }
    for (const one of writes) {
      if (one.op === "put" && this.#leaseHasEnded(one.lease)) return this.#refuseLease(one.lease, one.key);
    }
    if (writes.every(isCheck)) return { kind: "done", revision: this.#revision, previous: undefined };
    this.#revision += 1;
    const first = this.#changes.length;
    for (const [i, one] of writes.entries()) {
      if (one.op === "put") this.#put(one, this.#changes.length - first, standing[i]);
      else if (one.op === "delete") this.#remove(one.key, one.note, standing[i]);
    }
    return { kind: "done", revision: this.#revision, previous: standing[0] };
  }

  #endLease(lease: LeaseId, why: "revoked" | "expired"): Outcome<E> {
    if (!this.#leases.has(lease) || this.#ended.has(lease) || (why === "expired" && !this.#leases.isOver(lease)))
      return { kind: "done", revision: this.#revision, previous: undefined };
    this.#ended.add(lease);
    this.#leaseChanges.push({ do: "end", lease });
    const keys = new Set([...this.#leases.keysOf(lease), ...this.#touched.keys()]);
    const tied = [...keys].filter((key) => this.#entryOf(key)?.lease === lease).sort(compareKeys);
    if (tied.length > 0) this.#revision += 1;
    for (const key of tied) this.#remove(key, undefined, this.#entryOf(key));
    return { kind: "done", revision: this.#revision, previous: undefined };
  }

  #compact(to: number): Outcome<E> {
    if (to > this.#revision)
      return {
        kind: "refused",
        error: new StoreError("future", `cannot compact to revision ${to}: the store is at ${this.#revision}`),
      };
    if (to > (this.#compacted ?? this.#state.compacted)) this.#compacted = to;
    return { kind: "done", revision: this.#revision, previous: undefined };
  }
}
