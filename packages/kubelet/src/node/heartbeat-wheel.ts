import type { Clock, Timer } from "@coxswain/runtime/clock";

/**
 * Beats for many members, each once per period, spread evenly over it: members share slots, and one
 * timer serves those that are due. However long the event loop takes for an iteration, no member waits longer than a period and
 * an iteration: one slot per iteration made leases older than 50 s once 400 iterations took so long.
 */
export interface HeartbeatWheel<T> {
  add(member: T): void;
  remove(member: T): void;
  stop(): void;
}

export interface HeartbeatWheelOptions<T> {
  readonly periodMs: number;
  readonly clock: Clock;
  /** All members whose time has come, those that have waited longest first. */
  beat(members: readonly T[]): void;
}

/** So many that the members of one slot beat within a few milliseconds: 5,000 nodes are 12 or 13 in each. */
const slots = 400;
/**
 * Members of one slot, before another one is begun: 3 ms of work. Their leases are one batch of the store, which costs one flush of the disk:
 * each on its own, those of 100 nodes were ten timers and ten flushes in each second, a third of what a cluster at rest took.
 */
const membersPerSlot = 10;
/** The golden section of `slots`, and without a divisor in common: however many of them there are, the slots in use are spread over the period. */
const stride = 247;

/** Pure: of the n-th member. */
const slotOfMember = (n: number): number =>
  ((n < slots * membersPerSlot ? Math.floor(n / membersPerSlot) : n) * stride) % slots;

export function createHeartbeatWheel<T>({ periodMs, clock, beat }: HeartbeatWheelOptions<T>): HeartbeatWheel<T> {
  const members: Set<T>[] = Array.from({ length: slots }, () => new Set());
  const slotOf = new Map<T, number>();
  const began = clock.monotonic();
  const dueAt = Array.from({ length: slots }, (_, slot) => began + (slot * periodMs) / slots);
  let added = 0;
  let timer: { readonly at: number; readonly timer: Timer } | undefined;

  /** One timer, for the slot that is due first. */
  function arm(): void {
    timer?.timer.cancel();
    timer = undefined;
    let first: number | undefined;
    for (const [slot, each] of members.entries())
      if (each.size > 0 && (first === undefined || due(slot) < due(first))) first = slot;
    if (first === undefined) return;
    const at = due(first);
    timer = { at, timer: clock.setTimer(Math.max(0, at - clock.monotonic()), fire, "beat") };
  }

  const due = (slot: number): number => dueAt[slot] as number;

  /** Rounds that nobody was there for, or that the process was too busy for, are skipped. */
  function moveOn(slot: number): void {
    const late = Math.max(0, Math.ceil((clock.monotonic() - due(slot)) / periodMs));
    dueAt[slot] = due(slot) + Math.max(1, late) * periodMs;
  }

  function fire(): void {
    // The slot that the timer was set for is among them, even where the timer is early by a rounding.
    const until = Math.max(clock.monotonic(), timer?.at ?? 0);
    const slotsDue = [...members.keys()]
      .filter((slot) => (members[slot] as Set<T>).size > 0 && due(slot) <= until)
      .sort((a, b) => due(a) - due(b));
    for (const slot of slotsDue) moveOn(slot);
    arm();
    beat(slotsDue.flatMap((slot) => [...(members[slot] as Set<T>)]));
  }

  return {
    add(member) {
      if (slotOf.has(member)) return;
      const slot = slotOfMember(added++);
      slotOf.set(member, slot);
      if (members[slot]?.size === 0 && due(slot) <= clock.monotonic()) moveOn(slot);
      members[slot]?.add(member);
      if (timer === undefined || due(slot) < timer.at) arm();
    },
    remove(member) {
      const slot = slotOf.get(member);
      if (slot === undefined) return;
      slotOf.delete(member);
      members[slot]?.delete(member);
      if (slotOf.size === 0) arm();
    },
    stop() {
      timer?.timer.cancel();
      for (const each of members) each.clear();
      slotOf.clear();
    },
  };
}
