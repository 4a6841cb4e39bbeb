import { describe, expect, it } from "vitest";
import { during } from "../activity/index.js";
import { sleepDuringWork } from "../wait/index.js";
import { createVirtualClock, systemClock } from "./index.js";

/** Settles only after a few turns of the event loop, as a request over several promises does. */
const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

describe("virtual clock", () => {
  it("stands still until it is moved", async () => {
    const clock = createVirtualClock({ startMs: 1000 });
    await clock.settle();
    expect([clock.now(), clock.monotonic()]).toEqual([1000, 0]);
    await clock.advance(50);
    expect([clock.now(), clock.monotonic()]).toEqual([1050, 50]);
  });

  it("fires timers by time, and those of one instant in the order they were set", async () => {
    const clock = createVirtualClock({ startMs: 0 });
    const fired: string[] = [];
    const note = (name: string) => () => fired.push(`${name}@${clock.now()}`);
    clock.setTimer(20, note("late"));
    clock.setTimer(10, note("first"));
    clock.setTimer(10, note("second"));
    clock.setTimer(30, note("never"));
    await clock.advance(25);
    expect(fired).toEqual(["first@10", "second@10", "late@20"]);
    expect(clock.nextTimer).toBe(30);
  });

  it("fires timers that timers set", async () => {
    const clock = createVirtualClock({ startMs: 0 });
    const at: number[] = [];
    const tick = (): void => {
      at.push(clock.now());
      clock.setTimer(10, tick);
    };
    clock.setTimer(10, tick);
    await clock.advance(35);
    expect(at).toEqual([10, 20, 30]);
  });

  it("a cancelled timer never fires, also when another timer of that instant cancels it", async () => {
    const clock = createVirtualClock();
    const fired: string[] = [];
    clock.setTimer(5, () => second.cancel());
    const second = clock.setTimer(5, () => fired.push("second"));
    await clock.advance(10);
    expect(fired).toEqual([]);
    expect(clock.nextTimer).toBeUndefined();
  });

  it("waits for what a timer started before the next instant comes", async () => {
    const clock = createVirtualClock({ startMs: 0 });
    const log: string[] = [];
    clock.setTimer(
      10,
      () =>
        void during(clock.activity, async () => {
          await turns(3);
          log.push(`done@${clock.now()}`);
        }),
    );
    clock.setTimer(20, () => log.push(`next@${clock.now()}`));
    await clock.advance(100);
    expect(log).toEqual(["done@10", "next@20"]);
  });

  it("activity that starts more activity is not settled", async () => {
    const clock = createVirtualClock();
    let finished = 0;
    const chain = (left: number): Promise<void> =>
      during(clock.activity, async () => {
        await turns(1);
        finished++;
        if (left > 0) setImmediate(() => void chain(left - 1));
      });
    void chain(3);
    await clock.settle();
    expect(finished).toBe(4);
  });

  it("work that waits for time does not hold it up; the rest of it does", async () => {
    const clock = createVirtualClock({ startMs: 0 });
    const log: string[] = [];
    clock.setTimer(
      10,
      () =>
        void during(clock.activity, async () => {
          await sleepDuringWork(20, { clock });
          await turns(20);
          log.push(`done@${clock.now()}`);
        }),
    );
    for (const at of [20, 30, 40]) clock.setTimer(at, () => log.push(`timer@${clock.now()}`));
    await clock.advance(100);
    expect(log).toEqual(["timer@20", "timer@30", "done@30", "timer@40"]);
  });

  it("one that waits for time does not excuse another that works", async () => {
    const clock = createVirtualClock({ startMs: 0 });
    const log: string[] = [];
    void during(clock.activity, () => sleepDuringWork(20, { clock }));
    void during(clock.activity, async () => {
      await turns(20);
      log.push(`done@${clock.now()}`);
    });
    clock.setTimer(10, () => log.push(`timer@${clock.now()}`));
    await clock.advance(100);
    expect(log).toEqual(["done@0", "timer@10"]);
  });

  it("timers due now fire when it settles", async () => {
    const clock = createVirtualClock();
    let fired = false;
    clock.setTimer(0, () => {
      fired = true;
    });
    await clock.settle();
    expect(fired).toBe(true);
  });

  it("advances until something holds, or gives up", async () => {
    const clock = createVirtualClock({ startMs: 0 });
    let ready = false;
    clock.setTimer(70, () => {
      ready = true;
    });
    expect(await clock.advanceUntil(() => ready, 50)).toBe(false);
    expect(await clock.advanceUntil(() => ready, 50)).toBe(true);
    expect(clock.now()).toBe(70);
  });

  it("refuses to be moved twice at once", async () => {
    const clock = createVirtualClock();
    const first = clock.advance(1);
    await expect(clock.advance(1)).rejects.toThrow("already moving");
    await first;
  });

  it("keeps order among thousands of timers", async () => {
    const clock = createVirtualClock({ startMs: 0 });
    const at: number[] = [];
    for (let i = 0; i < 5000; i++) clock.setTimer((i * 7919) % 100, () => at.push(clock.now()));
    await clock.advance(100);
    expect(at).toHaveLength(5000);
    expect(at).toEqual([...at].sort((a, b) => a - b));
  });
});

describe("system clock", () => {
  it("fires once and can be cancelled", async () => {
    let fired = 0;
    systemClock.setTimer(1, () => fired++);
    systemClock.setTimer(1, () => fired++).cancel();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(fired).toBe(1);
  });
});

describe("stretches in which nothing happens", () => {
  /** Beats every 10 s, each of which puts a deadline of 40 s off. */
  function world() {
    const seen = { beats: 0, missed: [] as number[], changed: false };
    const clock = createVirtualClock({
      startMs: 0,
      isQuiet: () => !seen.changed || (seen.changed = false),
    });
    let isAlive = true;
    let renewed = 0;
    const beat = (): void => {
      seen.beats += 1;
      if (isAlive) renewed = clock.now();
      clock.setTimer(10_000, beat, "beat");
    };
    const check = (): void => {
      const left = renewed + 40_000 - clock.now();
      if (left > 0) clock.setTimer(left, check, "deadline");
      else {
        seen.missed.push(clock.now());
        seen.changed = true;
      }
    };
    clock.setTimer(10_000, beat, "beat");
    clock.setTimer(40_000, check, "deadline");
    return { clock, seen, die: () => void (isAlive = false) };
  }

  it("are passed over: of a week of beats few are made, and no deadline is missed", async () => {
    const { clock, seen } = world();
    await clock.advance(7 * 86_400_000);
    expect(clock.now()).toBe(7 * 86_400_000);
    expect(seen.missed).toEqual([]);
    expect(seen.beats).toBeLessThan(20);
  });
  it("are not there when beats fail to come: the deadline fires at its time", async () => {
    const { clock, seen, die } = world();
    await clock.advance(3_600_000);
    const diedAt = clock.now();
    die();
    await clock.advance(3_600_000);
    expect(seen.missed).toHaveLength(1);
    expect((seen.missed[0] ?? 0) - diedAt).toBeLessThanOrEqual(40_000);
  });
  it("end at other timers, which find everything as if all beats had come", async () => {
    const { clock, seen } = world();
    const fired: number[] = [];
    for (const at of [500_000, 2_000_000]) clock.setTimer(at, () => void fired.push(clock.now()));
    await clock.advance(3_000_000);
    expect(fired).toEqual([500_000, 2_000_000]);
    expect(seen.missed).toEqual([]);
  });
  it("are walked through where nobody knows what beats are", async () => {
    const clock = createVirtualClock({ startMs: 0 });
    let beats = 0;
    const beat = (): void => {
      beats += 1;
      clock.setTimer(10_000, beat, "beat");
    };
    beat();
    await clock.advance(1_000_000);
    expect(beats).toBe(101);
  });
});
