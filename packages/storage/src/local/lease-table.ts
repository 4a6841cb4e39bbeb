import type { Clock, Timer } from "@coxswain/runtime/clock";
import type { LeaseId } from "../contract/key-value-store.js";
import type { Change, IndexEntry, LeaseChange } from "./journal.js";

interface Lease {
  readonly ttlMs: number;
  /** On the monotonic clock. */
  deadline: number;
  readonly keys: Set<string>;
}

/** The leases that there are, which keys hang on them, and one timer for the one that is over first. */
export class LeaseTable {
  readonly #leases = new Map<LeaseId, Lease>();
  readonly #clock: Clock;
  readonly #onOver: (lease: LeaseId) => void;
  #timer: Timer | undefined;
  #armedFor = Infinity;
  #last = 0;
  #stopped = false;

  /** `onOver` is called once for each lease whose time is over; it stays in the table until it is ended. */
  constructor(clock: Clock, onOver: (lease: LeaseId) => void) {
    this.#clock = clock;
    this.#onOver = onOver;
  }

  /** The last id ever given. */
  get last(): LeaseId {
    return this.#last;
  }

  has(lease: LeaseId): boolean {
    return this.#leases.has(lease);
  }

  isOver(lease: LeaseId): boolean {
    return (this.#leases.get(lease)?.deadline ?? -Infinity) <= this.#clock.monotonic();
  }

  keysOf(lease: LeaseId): Iterable<string> {
    return this.#leases.get(lease)?.keys ?? [];
  }

  /** `id` and time to live of each, to be opened again elsewhere. */
  *entries(): Generator<{ lease: LeaseId; ttlMs: number }, void> {
    for (const [lease, { ttlMs }] of this.#leases) yield { lease, ttlMs };
  }

  restore(last: LeaseId, leases: Iterable<{ lease: LeaseId; ttlMs: number }>): void {
    this.#last = last;
    for (const { lease, ttlMs } of leases) this.#add(lease, ttlMs);
  }

  tie(lease: LeaseId | undefined, key: string): void {
    if (lease !== undefined) this.#leases.get(lease)?.keys.add(key);
  }

  keepAlive(lease: LeaseId): boolean {
    const found = this.#leases.get(lease);
    if (found === undefined || this.isOver(lease)) return false;
    found.deadline = this.#clock.monotonic() + found.ttlMs;
    return true;
  }

  apply(changes: readonly Change<IndexEntry>[], leases: readonly LeaseChange[]): void {
    for (const change of leases) if (change.do === "grant") this.#add(change.lease, change.ttlMs);
    if (this.#leases.size > 0) {
      for (const { key, entry, previous } of changes) {
        if (previous?.lease !== undefined && previous.lease !== entry?.lease)
          this.#leases.get(previous.lease)?.keys.delete(key);
        this.tie(entry?.lease, key);
      }
    }
    for (const change of leases) if (change.do === "end") this.#leases.delete(change.lease);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  #add(lease: LeaseId, ttlMs: number): void {
    this.#last = Math.max(this.#last, lease);
    const deadline = this.#clock.monotonic() + ttlMs;
    this.#leases.set(lease, { ttlMs, deadline, keys: new Set() });
    if (deadline < this.#armedFor) this.#arm(deadline);
  }

  #arm(deadline: number): void {
    if (this.#stopped) return;
    this.#timer?.cancel();
    this.#armedFor = deadline;
    this.#timer = this.#clock.setTimer(Math.max(0, deadline - this.#clock.monotonic()), () => this.#check());
  }

  /** Keep-alives only move deadlines back, so the timer may fire early: then it is armed again for the next one. */
  #check(): void {
    this.#armedFor = Infinity;
    const now = this.#clock.monotonic();
    let next = Infinity;
    for (const [lease, { deadline }] of this.#leases) {
      if (deadline <= now) this.#onOver(lease);
      else next = Math.min(next, deadline);
    }
    if (next < Infinity) this.#arm(next);
  }
}
