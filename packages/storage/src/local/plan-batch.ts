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
  const changes: Change<E>[] = [];
  const leaseChanges: LeaseChange[] = [];
  const touched = new Map<string, E | undefined>();
  const ended = new Set<LeaseId>();
  let revision = state.revision;
  let compacted: number | undefined;
  let lastLease = leases.last;

  const entryOf = (key: string): E | undefined => (touched.has(key) ? touched.get(key) : state.index.get(key));

  function put({ key, value, lease, note }: PutWrite, sub: number, previous: E | undefined): void {
    const placement = {
      key,
      revision,
      sub,
      createRevision: previous?.createRevision ?? revision,
      version: (previous?.version ?? 0) + 1,
      lease,
    };
    const entry = journal.entryFor(placement, value, note);
    changes.push({ revision, key, entry, previous, value, note });
    touched.set(key, entry);
  }

  function remove(key: string, note: Note | undefined, previous: E | undefined): void {
    changes.push({ revision, key, entry: undefined, previous, value: undefined, note });
    touched.set(key, undefined);
  }

  const leaseHasEnded = (lease: LeaseId | undefined): lease is LeaseId =>
    lease !== undefined && (!leases.has(lease) || ended.has(lease));
  const refuseLease = (lease: LeaseId, key: string): Outcome<E> => ({
    kind: "refused",
    error: new StoreError("lease-gone", `lease ${lease} has ended: ${key} was not written`),
  });

  /** As a transaction of one, without what that needs: nearly every write is one of these. */
  function putOne(one: PutWrite): Outcome<E> {
    const { key, lease } = one;
    const entry = entryOf(key);
    if ((entry?.revision ?? 0) !== one.expected)
      return { kind: "conflict", index: 0, key, entry, unsettled: touched.has(key) };
    if (leaseHasEnded(lease)) return refuseLease(lease, key);
    revision += 1;
    put(one, 0, entry);
    return { kind: "done", revision, previous: entry };
  }

  function deleteOne({ key, expected, note }: DeleteWrite): Outcome<E> {
    const entry = entryOf(key);
    if (entry === undefined || entry.revision !== expected)
      return { kind: "conflict", index: 0, key, entry, unsettled: touched.has(key) };
    revision += 1;
    remove(key, note, entry);
    return { kind: "done", revision, previous: entry };
  }

  function transaction(writes: readonly Write[]): Outcome<E> {
    const standing: (E | undefined)[] = [];
    for (const one of writes) {
      const later = one.op === "check range" ? writtenLater(one, { touched, index: state.index }) : undefined;
      const { key, entry } = later ?? { key: one.key, entry: entryOf(one.key) };
      if (later || !isAsExpected(one, entry))
        return { kind: "conflict", index: standing.length, key, entry, unsettled: touched.has(key) };
      standing.push(entry);
    }
    for (const one of writes) {
      if (one.op === "put" && leaseHasEnded(one.lease)) return refuseLease(one.lease, one.key);
    }
    if (writes.every(isCheck)) return { kind: "done", revision, previous: undefined };
    revision += 1;
    const first = changes.length;
    for (const [i, one] of writes.entries()) {
      if (one.op === "put") put(one, changes.length - first, standing[i]);
      else if (one.op === "delete") remove(one.key, one.note, standing[i]);
    }
    return { kind: "done", revision, previous: standing[0] };
  }

  function endLease(lease: LeaseId, why: "revoked" | "expired"): Outcome<E> {
    if (!leases.has(lease) || ended.has(lease) || (why === "expired" && !leases.isOver(lease)))
      return { kind: "done", revision, previous: undefined };
    ended.add(lease);
    leaseChanges.push({ do: "end", lease });
    const keys = new Set([...leases.keysOf(lease), ...touched.keys()]);
    const tied = [...keys].filter((key) => entryOf(key)?.lease === lease).sort(compareKeys);
    if (tied.length > 0) revision += 1;
    for (const key of tied) remove(key, undefined, entryOf(key));
    return { kind: "done", revision, previous: undefined };
  }

  function compact(to: number): Outcome<E> {
    if (to > revision)
      return {
        kind: "refused",
        error: new StoreError("future", `cannot compact to revision ${to}: the store is at ${revision}`),
      };
    if (to > (compacted ?? state.compacted)) compacted = to;
    return { kind: "done", revision, previous: undefined };
  }

  const outcomes = requests.map((request): Outcome<E> => {
    switch (request.do) {
      case "put":
        return putOne(request.write);
      case "delete":
        return deleteOne(request.write);
      case "transaction":
        return transaction(request.writes);
      case "grant":
        lastLease += 1;
        leaseChanges.push({ do: "grant", lease: lastLease, ttlMs: request.ttlMs });
        return { kind: "done", revision, previous: undefined, lease: lastLease };
      case "end lease":
        return endLease(request.lease, request.why);
      case "compact":
        return compact(request.revision);
    }
  });
  const idle = changes.length === 0 && leaseChanges.length === 0 && compacted === undefined;
  return { batch: idle ? undefined : { revision, changes, leases: leaseChanges, compacted }, outcomes };
}
