import { describe, expect, it } from "vitest";
import { type Activity, createActivity, noActivity } from "../activity/index.js";
import { systemEventLoop } from "../event-loop/index.js";
import { estimatedTime, measuredTime, type Task, TaskScheduler } from "./index.js";

/** A scheduler on an event loop that advances when the test asks; time passes only in tasks. */
function createWorld({ msPerStep = 1 } = {}) {
  let now = 0;
  const ran: string[] = [];
  const immediates: (() => void)[] = [];
  const afterJobs: (() => void)[] = [];
  const scheduler = new TaskScheduler({
    time: measuredTime({ monotonic: () => now }),
    activity: noActivity,
    loop: {
      nextIteration: (run) => void immediates.push(run),
      afterPromiseJobs: (run) => void afterJobs.push(run),
    },
  });
  const runJobs = (): void => {
    for (let run = afterJobs.shift(); run; run = afterJobs.shift()) run();
  };
  const iterate = (times = 1): void => {
    for (let time = 0; time < times; time++) {
      for (const run of immediates.splice(0)) run();
      runJobs();
    }
  };
  /** Takes so many steps, one in each run. */
  const task = (name: string, steps: number, flow?: string): Task => ({
    flow,
    run() {
      ran.push(name);
      now += msPerStep;
      steps -= 1;
      return steps > 0;
    },
  });
  const schedule = (one: Task): void => {
    scheduler.schedule(one);
    runJobs();
  };
  const pass = (ms: number): void => void (now += ms);
  return { scheduler, schedule, task, ran, iterate, pass, isIdle: () => immediates.length === 0 };
}

describe("the task scheduler", () => {
  it("runs a task at once when nothing else is ready, and then rests", () => {
    const { schedule, task, ran, iterate, isIdle } = createWorld({ msPerStep: 0.1 });
    schedule(task("a", 2));
    expect(ran).toEqual(["a", "a"]);
    iterate();
    expect(isIdle()).toBe(true);
  });

  it("continues in the next iteration of the event loop when the time slice is used up", () => {
    const { schedule, task, ran, iterate } = createWorld({ msPerStep: 0.2 });
    schedule(task("a", 5));
    expect(ran.length).toBe(2);
    iterate();
    expect(ran.length).toBe(4);
    iterate();
    expect(ran.length).toBe(5);
  });

  const shares = [
    { name: "short iterations: slices stay as they are", otherMs: 1, least: 2, most: 2 },
    { name: "iterations of 16 ms: an eighth", otherMs: 16, least: 10, most: 12 },
    { name: "iterations of 80 ms: an eighth", otherMs: 80, least: 50, most: 60 },
  ];
  for (const { name, otherMs, least, most } of shares)
    it(`gives ready tasks a share of the time when the event loop has other work: ${name}`, () => {
      const { schedule, task, ran, iterate, pass } = createWorld({ msPerStep: 0.2 });
      schedule(task("a", 10_000));
      for (let time = 0; time < 10; time++) {
        const before = ran.length;
        pass(otherMs);
        iterate();
        expect(ran.length - before).toBeGreaterThanOrEqual(least);
        expect(ran.length - before).toBeLessThanOrEqual(most);
      }
    });

  it("gives the first task after a rest no longer slice, however long the rest was", () => {
    const { schedule, task, ran, iterate, pass } = createWorld({ msPerStep: 0.2 });
    schedule(task("a", 1));
    iterate(3);
    pass(1_000);
    schedule(task("b", 100));
    expect(ran.length).toBe(1 + 2);
  });

  it("serves flows round-robin, however many tasks each has", () => {
    const { schedule, task, ran, iterate } = createWorld();
    for (const name of ["a1", "a2", "a3"]) schedule(task(name, 10, "a"));
    schedule(task("b", 10, "b"));
    iterate(7);
    expect(ran.join(" ")).toBe("a1 a1 b a2 b a3 b a1");
  });

  it("runs one task in an iteration, however long it takes", () => {
    const { schedule, task, ran, iterate } = createWorld({ msPerStep: 500 });
    schedule(task("a", 2));
    schedule(task("b", 1));
    expect(ran).toEqual(["a"]);
    iterate();
    expect(ran.length).toBe(2);
  });

  it("goes on when a task throws", () => {
    const { schedule, task, ran, iterate } = createWorld();
    const broken: Task = {
      flow: undefined,
      run: () => {
        throw new Error("broken");
      },
    };
    expect(() => schedule(broken)).toThrow("broken");
    iterate();
    schedule(task("a", 1));
    iterate();
    expect(ran).toEqual(["a"]);
  });

  it("lets a loop go on while its time slice lasts, and then makes it wait for its turn", async () => {
    const { scheduler, schedule, task, ran, iterate, pass } = createWorld();
    expect(scheduler.yield(0)).toBeUndefined();
    pass(1);
    const pause = scheduler.yield(0);
    let isResumed = false;
    const resumed = pause?.then(() => (isResumed = true));
    schedule(task("a", 1));
    await Promise.resolve();
    expect([isResumed, ran]).toEqual([false, []]);
    iterate(2);
    await resumed;
    expect([isResumed, ran]).toEqual([true, ["a"]]);
  });
});

describe("loops that wait for one flow", () => {
  it("share its share: a connection does not wait behind all of them", async () => {
    const time = estimatedTime();
    const scheduler = new TaskScheduler({ time, activity: noActivity });
    const ran: string[] = [];
    const run = (name: string): void => {
      ran.push(name);
      time.spend(5_000);
    };
    const first = scheduler.yield(5_000);
    const waits = ["a", "b", "c"].map((name) => scheduler.yield(0, "controller")?.then(() => run(name)));
    scheduler.schedule({
      flow: "user",
      run() {
        run("connection");
        return false;
      },
    });
    await Promise.all([first, ...waits]);
    expect(ran).toEqual(["a", "connection", "b", "c"]);
  });
});

describe("backpressure", () => {
  const flooded = (requests: number) => {
    const world = createWorld();
    for (let each = 0; each < requests; each++) world.scheduler.began("writer");
    world.scheduler.setBackpressure(true);
    world.schedule(world.task("writer", 2, "writer"));
    world.schedule(world.task("reader", 2, "reader"));
    world.iterate(3);
    return world;
  };

  it("holds back a flow with many requests in flight, and no other", () => {
    expect(flooded(16).ran).toEqual(["reader", "reader"]);
  });

  it("does not hold back a flow with few requests in flight", () => {
    expect(flooded(15).ran.sort()).toEqual(["reader", "reader", "writer", "writer"]);
  });

  it("lets the flow go on when it is over", () => {
    const { scheduler, ran, iterate } = flooded(16);
    scheduler.setBackpressure(false);
    iterate();
    expect(ran.slice(2)).toContain("writer");
  });

  it("lets the flow go on when its requests have ended", () => {
    const { scheduler, schedule, task, ran, iterate } = flooded(16);
    scheduler.ended("writer");
    schedule(task("reader", 1, "reader"));
    iterate(2);
    expect(ran.slice(2)).toContain("writer");
  });
});

describe("Node's event loop", () => {
  it("calls back behind the promise jobs that follow from each other, and before its next iteration", async () => {
    const seen: string[] = [];
    setImmediate(() => {
      setImmediate(() => seen.push("next iteration"));
      void (async () => {
        for (let hop = 0; hop < 5; hop++) await Promise.resolve();
        seen.push("promise jobs");
      })();
      systemEventLoop.afterPromiseJobs(() => seen.push("after them"));
    });
    for (let time = 0; time < 3; time++) await new Promise<void>((resolve) => systemEventLoop.nextIteration(resolve));
    expect(seen).toEqual(["promise jobs", "after them", "next iteration"]);
  });
});

describe("estimated time", () => {
  const createScheduler = (activity: Activity) => new TaskScheduler({ time: estimatedTime(), activity });

  it("ends a slice by the estimated cost of work, not by the time that it takes", async () => {
    const scheduler = createScheduler(noActivity);
    expect(scheduler.yield(4_999)).toBeUndefined();
    const pause = scheduler.yield(1);
    expect(pause).toBeInstanceOf(Promise);
    await pause;
    expect(scheduler.yield(4_999)).toBeUndefined();
  });

  it("counts those who wait as under way", async () => {
    const activity = createActivity();
    const pause = createScheduler(activity).yield(5_000);
    expect(activity.count).toBe(1);
    await pause;
    expect(activity.count).toBe(0);
  });

  it("interrupts a task that never reports what it costs", () => {
    let looks = 0;
    createScheduler(noActivity).schedule({
      flow: undefined,
      run(hasTime) {
        while (hasTime()) looks += 1;
        return false;
      },
    });
    expect(looks).toBe(99);
  });
});
