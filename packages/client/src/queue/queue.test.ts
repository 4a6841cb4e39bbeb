import { getEventListeners } from "node:events";
import { testRuntime } from "@coxswain/runtime";
import { noActivity } from "@coxswain/runtime/activity";
import { createSeededRandom, randomInt } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";
import {
  createDelayingQueue,
  createItemBackoff,
  createPriorityQueue,
  createRateLimitingQueue,
  createWorkQueue,
  lowPriority,
  type QueueGauges,
  runWorkers,
  type WorkQueue,
} from "./index.js";

/** What can be had now without waiting. */
async function ready<T>(queue: WorkQueue<T>): Promise<T[]> {
  const items: T[] = [];
  while (queue.size > 0) {
    const item = (await queue.get()) as T;
    queue.done(item);
    items.push(item);
  }
  return items;
}

const kinds = {
  plain: () => createWorkQueue<string>(),
  delaying: () => createDelayingQueue<string>(),
  "rate-limiting": () => createRateLimitingQueue<string>(),
  priority: () => createPriorityQueue<string>(),
};

for (const [name, create] of Object.entries(kinds))
  describe(`a work queue: ${name}`, () => {
    it("hands out each item once, in the order in which they came", async () => {
      const queue = create();
      for (const item of ["a", "b", "a", "c"]) queue.add(item);
      expect(await ready(queue)).toEqual(["a", "b", "c"]);
    });

    it("an item that is added while it is worked on comes again afterwards, and not before", async () => {
      const queue = create();
      queue.add("a");
      expect(await queue.get()).toBe("a");
      queue.add("a");
      queue.add("a");
      expect(queue.size).toBe(0);
      queue.done("a");
      expect(await ready(queue)).toEqual(["a"]);
    });

    it("gives an item to the worker that waits longest", async () => {
      const queue = create();
      const [first, second] = [queue.get(), queue.get()];
      queue.add("a");
      queue.add("b");
      expect([await first, await second]).toEqual(["a", "b"]);
    });

    it("a worker that stops waiting takes nothing with it", async () => {
      const queue = create();
      const ending = new AbortController();
      const [leaving, staying] = [queue.get(ending.signal), queue.get()];
      ending.abort();
      expect(await leaving).toBeUndefined();
      queue.add("a");
      expect(await staying).toBe("a");
      expect(await queue.get(ending.signal)).toBeUndefined();
    });

    it("once shut down it takes in nothing, hands out what waits, then ends its workers", async () => {
      const queue = create();
      queue.add("a");
      queue.shutDown();
      queue.add("b");
      expect(await queue.get()).toBe("a");
      expect(await queue.get()).toBeUndefined();
      expect(queue.isShuttingDown).toBe(true);
    });

    it("drains: waits for what is worked on and for what must be worked on again", async () => {
      const queue = create();
      queue.add("a");
      await queue.get();
      queue.add("a");
      let drained = false;
      const draining = queue.drain().then(() => (drained = true));
      queue.done("a");
      await Promise.resolve();
      expect(drained).toBe(false);
      expect(await queue.get()).toBe("a");
      queue.done("a");
      await draining;
      expect(drained).toBe(true);
    });

    it("no item is worked on twice at once or forgotten, whatever the workers do", async () => {
      const random = createSeededRandom(name);
      const queue = create();
      const held = new Set<string>();
      const stale = new Set<string>();
      for (let i = 0; i < 5000; i++) {
        const item = `item-${randomInt(8, random)}`;
        const luck = random.next();
        if (luck < 0.5) {
          queue.add(item);
          stale.add(item);
        } else if (queue.size > 0 && luck < 0.75) {
          const got = (await queue.get()) as string;
          expect(held.has(got)).toBe(false);
          held.add(got);
          stale.delete(got);
        } else if (held.delete(item)) queue.done(item);
      }
      for (const item of held) queue.done(item);
      expect((await ready(queue)).sort()).toEqual([...stale].sort());
    });
  });

describe("a delaying queue", () => {
  it("adds items when their time has come, the earliest of several delays counting", async () => {
    const runtime = testRuntime(1);
    const { clock } = runtime;
    const queue = createDelayingQueue<string>({ runtime });
    queue.addAfter("late", 300);
    queue.addAfter("a", 200);
    queue.addAfter("b", 100);
    queue.addAfter("a", 100);
    queue.addAfter("b", 900);
    queue.addAfter("now", 0);
    expect(await ready(queue)).toEqual(["now"]);
    await clock.advance(99);
    expect(queue.size).toBe(0);
    await clock.advance(1);
    expect(await ready(queue)).toEqual(["b", "a"]);
    expect(queue.delayed).toBe(1);
    queue.shutDown();
    expect(clock.nextTimer).toBeUndefined();
  });
});

describe("a rate-limiting queue", () => {
  it("waits longer after each failure until the item is forgotten", async () => {
    const runtime = testRuntime(1);
    const { clock } = runtime;
    const queue = createRateLimitingQueue<string>({
      runtime,
      rateLimiter: createItemBackoff({ baseMs: 5, maxMs: 15 }),
    });
    const waits: number[] = [];
    const fail = async (): Promise<void> => {
      const began = clock.monotonic();
      queue.addRateLimited("a");
      await clock.advanceUntil(() => queue.size > 0, 1000);
      waits.push(clock.monotonic() - began);
      await ready(queue);
    };
    for (let i = 0; i < 4; i++) await fail();
    expect(queue.retries("a")).toBe(4);
    queue.forget("a");
    await fail();
    expect(waits).toEqual([5, 10, 15, 15, 5]);
  });
});

describe("a priority queue", () => {
  it("hands out what matters more first, among equals what came first", async () => {
    const queue = createPriorityQueue<string>();
    queue.addWith({ priority: lowPriority }, "listed-1", "listed-2");
    queue.add("changed");
    queue.addWith({ priority: 10 }, "urgent");
    expect(await queue.getWithPriority()).toEqual({ item: "urgent", priority: 10 });
    expect(await ready(queue)).toEqual(["changed", "listed-1", "listed-2"]);
  });

  it("adding an item again raises its priority and never lowers it", async () => {
    const queue = createPriorityQueue<string>();
    queue.addWith({ priority: lowPriority }, "a", "b");
    queue.add("b");
    queue.addWith({ priority: lowPriority }, "b");
    expect(await queue.getWithPriority()).toEqual({ item: "b", priority: 0 });
    queue.done("b");
    queue.addWith({ priority: lowPriority }, "b");
    expect(await ready(queue)).toEqual(["a", "b"]);
  });

  it("a delayed item keeps its priority, and one that is worked on gets its new one", async () => {
    // Nobody counts the item that is held while time passes.
    const runtime = testRuntime(1, { activity: noActivity });
    const { clock } = runtime;
    const queue = createPriorityQueue<string>({ runtime });
    queue.addWith({ priority: lowPriority, afterMs: 100 }, "slow");
    queue.add("busy");
    await queue.get();
    queue.addWith({ priority: 5 }, "busy");
    await clock.advance(100);
    queue.add("plain");
    queue.done("busy");
    expect(await queue.getWithPriority()).toEqual({ item: "busy", priority: 5 });
    expect(await ready(queue)).toEqual(["plain", "slow"]);
  });
});

describe("metrics of a queue", () => {
  it("are reported by name, with durations in seconds", async () => {
    // Nobody counts the item that is held while time passes.
    const runtime = testRuntime(1, { activity: noActivity });
    const { clock } = runtime;
    const log: string[] = [];
    let gauges: QueueGauges | undefined;
    const queue = createRateLimitingQueue<string>({
      runtime,
      name: "pods",
      metrics(name, given) {
        gauges = given;
        return {
          depth: (size) => log.push(`${name} depth ${size}`),
          added: () => log.push("added"),
          retried: () => log.push("retried"),
          waited: (seconds) => log.push(`waited ${seconds}`),
          worked: (seconds) => log.push(`worked ${seconds}`),
        };
      },
    });
    queue.add("a");
    await clock.advance(2000);
    await queue.get();
    await clock.advance(3000);
    expect([gauges?.unfinishedWorkSeconds(), gauges?.longestRunningProcessorSeconds()]).toEqual([3, 3]);
    queue.done("a");
    queue.addRateLimited("a");
    expect(log).toEqual(["added", "pods depth 1", "pods depth 0", "waited 2", "worked 3", "retried"]);
  });
});

describe("workers", () => {
  it("retry what fails, requeue when the result asks for it, and stop when the signal aborts", async () => {
    const runtime = testRuntime(1);
    const { clock } = runtime;
    const queue = createRateLimitingQueue<string>({ runtime });
    const ending = new AbortController();
    const log: string[] = [];
    const running = runWorkers({
      queue,
      runtime,
      workers: 2,
      signal: ending.signal,
      onError: (error, item) => log.push(`${clock.monotonic()} ${item}: ${String(error)}`),
      work(item) {
        log.push(`${clock.monotonic()} ${item}`);
        if (item === "bad" && queue.retries(item) < 2) throw new Error("no");
        return item === "again" && clock.monotonic() < 1000 ? { requeueAfterMs: 600 } : undefined;
      },
    });
    queue.add("bad");
    queue.add("again");
    await clock.advance(5000);
    expect(log).toEqual([
      "0 bad",
      "0 bad: Error: no",
      "0 again",
      "5 bad",
      "5 bad: Error: no",
      "15 bad",
      "600 again",
      "1200 again",
    ]);
    expect(queue.retries("bad")).toBe(0);
    ending.abort();
    await running;
    expect(queue.isShuttingDown).toBe(true);
  });

  it("however many there are, they add one listener to the signal, and none is left", async () => {
    const ending = new AbortController();
    const { signal } = ending;
    const running = runWorkers({ queue: createRateLimitingQueue<string>(), workers: 20, signal, work: () => {} });
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    ending.abort();
    await running;
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("a virtual clock waits for work in progress", async () => {
    const runtime = testRuntime(1);
    const { clock } = runtime;
    const queue = createRateLimitingQueue<string>({ runtime });
    const ending = new AbortController();
    let finished = false;
    const running = runWorkers({
      queue,
      runtime,
      signal: ending.signal,
      async work() {
        for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
        finished = true;
      },
    });
    queue.add("a");
    await clock.settle();
    expect(finished).toBe(true);
    ending.abort();
    await running;
  });
});
