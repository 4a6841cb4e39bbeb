import type { Lease } from "@coxswain/api/coordination/v1";
import { alreadyExists, conflict, notFound, objectModified } from "@coxswain/apimachinery/status";
import { systemRuntime } from "@coxswain/runtime";
import { type Clock, createVirtualClock, type VirtualClock } from "@coxswain/runtime/clock";
import { createSeededRandom, randomInt, type SeededRandom } from "@coxswain/runtime/random";
import { sleep, slept } from "@coxswain/runtime/wait";
import { describe, expect, it } from "vitest";
import {
  createLeaderElector,
  createLeaseLock,
  createMultiLock,
  type LeaderElector,
  type LeaderElectorOptions,
  type LeaseAccess,
  type ResourceLock,
  unknownLeader,
} from "./index.js";

const resource = { group: "coordination.k8s.io", resource: "leases" };

/** Leases with compare-and-set, as the API server keeps them. */
function createLeases(): LeaseAccess & { stored: Map<string, Lease> } {
  const stored = new Map<string, Lease>();
  let revision = 0;
  const write = (lease: Lease): Lease => {
    const name = lease.metadata?.name ?? "";
    const written = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(++revision) } };
    stored.set(name, written);
    return written;
  };
  return {
    stored,
    async get(name) {
      const lease = stored.get(name);
      if (lease === undefined) throw notFound(resource, name);
      return lease;
    },
    async create(lease) {
      const name = lease.metadata?.name ?? "";
      if (stored.has(name)) throw alreadyExists(resource, name);
      return write(lease);
    },
    async update(lease) {
      const name = lease.metadata?.name ?? "";
      if (stored.get(name)?.metadata?.resourceVersion !== lease.metadata?.resourceVersion)
        throw conflict(resource, name, objectModified);
      return write(lease);
    },
  };
}

/** A process with a clock of its own, which can be paused: no timer fires and no answer arrives meanwhile, but time passes. */
function createProcess(base: VirtualClock, { rate = 1, offsetMs = 0 } = {}) {
  let held: (() => void)[] | undefined;
  const whenAwake = (act: () => void): void => (held === undefined ? act() : void held.push(act));
  const clock: Clock = {
    now: () => base.now() + offsetMs,
    monotonic: () => base.monotonic() * rate,
    setTimer: (ms, fire) => {
      let cancelled = false;
      const timer = base.setTimer(ms / rate, () => whenAwake(() => cancelled || fire()));
      return {
        cancel() {
          cancelled = true;
          timer.cancel();
        },
      };
    },
  };
  return {
    clock,
    pause: () => void (held ??= []),
    resume() {
      const acts = held ?? [];
      held = undefined;
      for (const act of acts) act();
    },
    /** Requests with delays and losses on both ways. */
    over(leases: LeaseAccess, trouble: () => { before: number; after: number; lose: "" | "request" | "answer" }) {
      const call = async <T>(work: () => Promise<T>): Promise<T> => {
        const { before, after, lose } = trouble();
        await sleep(before, { clock: base });
        if (lose === "request") await new Promise<never>(() => {});
        const settled = await work().then(
          (value) => () => value,
          (error) => () => {
            throw error;
          },
        );
        await sleep(after, { clock: base });
        if (lose === "answer") await new Promise<never>(() => {});
        await new Promise<void>((resolve) => whenAwake(resolve));
        return settled();
      };
      const access: LeaseAccess = {
        get: (name, options) => call(() => leases.get(name, options)),
        create: (lease, options) => call(() => leases.create(lease, options)),
        update: (lease, options) => call(() => leases.update(lease, options)),
      };
      return access;
    },
  };
}

const quick = () => ({ before: 5, after: 5, lose: "" as const });

/** An elector that stands again whenever it loses. */
function stand(
  base: VirtualClock,
  leases: LeaseAccess,
  identity: string,
  over: Partial<LeaderElectorOptions> & {
    rate?: number;
    offsetMs?: number;
    random?: SeededRandom;
    trouble?: typeof quick;
  } = {},
) {
  const process = createProcess(base, over);
  const { clock } = process;
  const access = process.over(leases, over.trouble ?? quick);
  const lock = createLeaseLock({ leases: access, namespace: "default", name: "work", identity });
  const ending = new AbortController();
  const log: string[] = [];
  let elector: LeaderElector | undefined;
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      elector = createLeaderElector({
        lock,
        lead({ signal }) {
          log.push(`${Math.round(base.monotonic() / 1000)} leads`);
          signal.addEventListener("abort", () => log.push(`${Math.round(base.monotonic() / 1000)} ends`));
        },
        ...over,
        runtime: systemRuntime({ clock, random: over.random ?? createSeededRandom(identity) }),
      });
      try {
        await elector.run(ending.signal);
      } catch {
        await slept(1000, { clock, signal: ending.signal });
      }
    }
  };
  const running = run();
  return {
    ...process,
    log,
    get isLeader() {
      return elector?.isLeader ?? false;
    },
    get elector() {
      return elector as LeaderElector;
    },
    end: () => ending.abort(),
    async stop() {
      ending.abort();
      await base.advance(1000);
      await running;
    },
  };
}

describe("leader election", () => {
  it("one of several leads; the lease holds its identity and the times", async () => {
    const base = createVirtualClock({ startMs: Date.UTC(2026, 0, 1) });
    const leases = createLeases();
    const [a, b] = [stand(base, leases, "a"), stand(base, leases, "b")];
    await base.advance(60_000);
    expect([a.isLeader, b.isLeader].sort()).toEqual([false, true]);
    const holder = a.isLeader ? "a" : "b";
    expect([a.elector.leader, b.elector.leader]).toEqual([holder, holder]);
    expect(leases.stored.get("work")?.spec).toMatchObject({
      holderIdentity: holder,
      leaseDurationSeconds: 15,
      acquireTime: expect.stringMatching(/^2026-01-01T00:00:00\.\d{6}Z$/),
      renewTime: expect.stringMatching(/^2026-01-01T00:00:5\d\.\d{6}Z$/),
      leaseTransitions: 0,
    });
    await a.stop();
    await b.stop();
  });

  it("another takes over when the leader dies, after the lease duration and not before", async () => {
    const base = createVirtualClock();
    const leases = createLeases();
    const a = stand(base, leases, "a");
    await base.advance(100);
    const b = stand(base, leases, "b");
    await base.advance(20_000);
    a.pause();
    await base.advance(12_900);
    expect(b.isLeader).toBe(false);
    await base.advance(8000);
    expect(b.isLeader).toBe(true);
    expect(leases.stored.get("work")?.spec?.leaseTransitions).toBe(1);
    await b.stop();
  });

  it("another takes over at once when the leader stops and releases", async () => {
    const base = createVirtualClock();
    const leases = createLeases();
    const a = stand(base, leases, "a");
    await base.advance(100);
    const b = stand(base, leases, "b");
    await base.advance(20_000);
    await a.stop();
    expect(leases.stored.get("work")?.spec?.leaseDurationSeconds).toBeDefined();
    await base.advance(4500);
    expect([a.isLeader, b.isLeader]).toEqual([false, true]);
    await b.stop();
  });

  it("holds the lock until the work has ended", async () => {
    const base = createVirtualClock();
    const leases = createLeases();
    const ended: number[] = [];
    const a = stand(base, leases, "a", {
      async lead({ signal }) {
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        await sleep(30_000, { clock: base });
        ended.push(base.monotonic());
      },
    });
    await base.advance(100);
    const b = stand(base, leases, "b");
    await base.advance(10_000);
    a.end();
    await base.advance(29_000);
    expect(b.isLeader).toBe(false);
    await base.advance(10_000);
    expect(ended).toHaveLength(1);
    expect(b.isLeader).toBe(true);
    await b.stop();
  });

  it("a leader that cannot renew stops leading by the renew deadline", async () => {
    const base = createVirtualClock();
    let lose: "" | "request" = "";
    const a = stand(base, createLeases(), "a", { trouble: () => ({ before: 1, after: 1, lose }) as never });
    await base.advance(20_500);
    expect(a.isLeader).toBe(true);
    lose = "request";
    await base.advance(10_000);
    expect(a.isLeader).toBe(false);
    expect(a.log.at(-1)).toMatch(/ends$/);
    lose = "";
    await base.advance(20_000);
    expect(a.isLeader).toBe(true);
    await a.stop();
  });

  it("a paused leader knows that it is none when it wakes, before any timer fires", async () => {
    const base = createVirtualClock();
    let assertLeading = (): void => {};
    const a = stand(base, createLeases(), "a", { lead: (leadership) => void ({ assertLeading } = leadership) });
    await base.advance(5000);
    assertLeading();
    a.pause();
    await base.advance(10_000);
    expect(a.isLeader).toBe(false);
    expect(assertLeading).toThrow("leadership of default/work was lost");
    expect(a.elector.check(0)).toBeUndefined();
    await base.advance(10_000);
    expect(String(a.elector.check(1000))).toContain("failed election to renew leadership on lease default/work");
    a.resume();
    await base.advance(10_000);
    await a.stop();
  });

  it("an error of the work ends leading and is the caller's", async () => {
    const base = createVirtualClock();
    const leases = createLeases();
    const lock = createLeaseLock({ leases, namespace: "default", name: "work", identity: "a" });
    const lead = (): void => {
      throw new Error("no work");
    };
    const elector = createLeaderElector({ lock, lead, runtime: systemRuntime({ clock: base }) });
    const outcome = elector.run(new AbortController().signal).catch(String);
    await base.settle();
    expect(await outcome).toBe("Error: no work");
    expect(leases.stored.get("work")?.spec?.holderIdentity).toBeUndefined();
  });

  it("two never lead at once under pauses, losses and clock skew, and somebody leads in the end", async () => {
    for (let seed = 0; seed < 60; seed++) {
      const random = createSeededRandom(`election-${seed}`);
      const base = createVirtualClock();
      const leases = createLeases();
      let calm = false;
      const trouble = () => {
        const luck = calm ? 1 : random.next();
        return {
          before: randomInt(luck < 0.2 ? 12_000 : 300, random),
          after: randomInt(luck < 0.2 ? 12_000 : 300, random),
          lose: luck < 0.05 ? "request" : luck < 0.1 ? "answer" : "",
        } as never;
      };
      // Rates between 0.83 and 1.2: their quotient stays below 15 / 10.
      const members = ["a", "b", "c"].map((identity) =>
        stand(base, leases, identity, {
          rate: 0.83 + random.next() * 0.37,
          offsetMs: (random.next() - 0.5) * 86_400_000,
          random: random.fork(identity),
          trouble,
        }),
      );
      const turns = new Set<number>();
      for (let step = 0; step < 600; step++) {
        await base.advance(500);
        const leaders = members.flatMap((member, at) => (member.isLeader ? [at] : []));
        expect(leaders.length, `seed ${seed} at ${base.monotonic()}`).toBeLessThanOrEqual(1);
        for (const at of leaders) turns.add(at);
        const member = members[randomInt(members.length, random)];
        if (random.next() < 0.04) member?.pause();
        else if (random.next() < 0.05) member?.resume();
      }
      calm = true;
      for (const member of members) member.resume();
      await base.advance(60_000);
      expect(members.filter((member) => member.isLeader)).toHaveLength(1);
      expect(turns.size).toBeGreaterThan(0);
      for (const member of members) await member.stop();
    }
  }, 120_000);

  const refused = [
    { name: "a lease not longer than the renew deadline", options: { leaseDurationMs: 10_000 } },
    { name: "a renew deadline not longer than the jittered retry period", options: { retryPeriodMs: 9000 } },
    { name: "a retry period of zero", options: { retryPeriodMs: 0 } },
  ];
  for (const { name, options } of refused)
    it(`refuses ${name}`, () => {
      const lock = createLeaseLock({ leases: createLeases(), namespace: "default", name: "work", identity: "a" });
      expect(() => createLeaderElector({ lock, lead() {}, ...options })).toThrow("must be greater than");
    });
});

describe("two locks together", () => {
  const signal = new AbortController().signal;
  const record = (holderIdentity: string) => ({ holderIdentity, leaseDurationSeconds: 15, leaderTransitions: 0 });
  function setUp() {
    const leases = createLeases();
    const lock = (name: string): ResourceLock => createLeaseLock({ leases, namespace: "n", name, identity: "me" });
    return { old: lock("old"), both: createMultiLock(lock("old"), lock("new")), leases };
  }

  it("are taken and updated together", async () => {
    const { both, leases } = setUp();
    expect(await both.get(signal)).toBeUndefined();
    await both.create(record("me"), signal);
    await both.get(signal);
    await both.update(record("me"), signal);
    expect([...leases.stored.keys()]).toEqual(["old", "new"]);
    expect((await both.get(signal))?.record.holderIdentity).toBe("me");
  });

  it("respect a holder that knows only the first", async () => {
    const { old, both } = setUp();
    await old.create(record("other"), signal);
    expect((await both.get(signal))?.record.holderIdentity).toBe("other");
  });

  it("have an unknown holder while they disagree", async () => {
    const { old, both } = setUp();
    await both.create(record("me"), signal);
    await old.get(signal);
    await old.update(record("other"), signal);
    expect((await both.get(signal))?.record.holderIdentity).toBe(unknownLeader);
  });
});
