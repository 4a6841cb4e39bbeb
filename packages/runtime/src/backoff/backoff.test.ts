import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../clock/index.js";
import {
  createBackoff,
  createControllerLimiter,
  createFastSlowLimiter,
  createItemBackoff,
  createKeyedBackoff,
  createTokenBucket,
} from "./index.js";

const half = { next: () => 0.5, bytes: (length: number) => new Uint8Array(length), drawInto: () => {} };
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

describe("growing waits", () => {
  const cases = [
    { name: "doubles", options: { initialMs: 10 }, waits: [10, 20, 40, 80] },
    { name: "ends at the limit", options: { initialMs: 10, maxMs: 25 }, waits: [10, 20, 25, 25] },
    { name: "grows only so often", options: { initialMs: 10, steps: 2 }, waits: [10, 20, 40, 40] },
    { name: "jitter does not add up", options: { initialMs: 10, jitter: 1, random: half }, waits: [15, 30, 60, 120] },
    { name: "by another factor", options: { initialMs: 10, factor: 1 }, waits: [10, 10, 10, 10] },
  ];
  for (const { name, options, waits } of cases) {
    it(name, () => {
      const backoff = createBackoff(options);
      expect(times(4, () => backoff.next())).toEqual(waits);
    });
  }
  it("begins anew after a reset", () => {
    const backoff = createBackoff({ initialMs: 10 });
    backoff.next();
    backoff.reset();
    expect(backoff.next()).toBe(10);
  });
  it("begins anew after a while", async () => {
    const clock = createVirtualClock();
    const backoff = createBackoff({ initialMs: 10, resetAfterMs: 100, clock });
    expect(times(3, () => backoff.next())).toEqual([10, 20, 40]);
    await clock.advance(101);
    expect(backoff.next()).toBe(10);
  });
});

describe("limits per item", () => {
  it("double up to the longest and start over when forgotten", () => {
    const limiter = createItemBackoff<string>({ baseMs: 1, maxMs: 5 });
    expect(times(4, () => limiter.when("a"))).toEqual([1, 2, 4, 5]);
    expect([limiter.when("b"), limiter.retries("a"), limiter.retries("c")]).toEqual([1, 4, 0]);
    limiter.forget("a");
    expect([limiter.retries("a"), limiter.when("a")]).toEqual([0, 1]);
  });
  it("stay finite after thousands of failures", () => {
    const limiter = createItemBackoff<string>();
    expect(times(5000, () => limiter.when("a")).at(-1)).toBe(1_000_000);
  });
  it("fast, then slow", () => {
    const limiter = createFastSlowLimiter<string>({ fastMs: 1, slowMs: 100, fastTries: 2 });
    expect(times(3, () => limiter.when("a"))).toEqual([1, 1, 100]);
  });
  it("a controller's: the bucket counts once the burst is spent", () => {
    const limiter = createControllerLimiter<number>({ clock: createVirtualClock() });
    const waits = Array.from({ length: 102 }, (_, item) => limiter.when(item));
    expect([waits[0], waits[99], waits[100], waits[101]]).toEqual([5, 5, 100, 200]);
  });
});

describe("token bucket", () => {
  it("gives the burst, then waits", async () => {
    const clock = createVirtualClock();
    const bucket = createTokenBucket({ perSecond: 10, burst: 2, clock });
    expect(times(3, () => bucket.tryTake())).toEqual([true, true, false]);
    await clock.advance(100);
    expect(times(2, () => bucket.tryTake())).toEqual([true, false]);
  });
  it("take waits its turn", async () => {
    const clock = createVirtualClock({ startMs: 0 });
    const bucket = createTokenBucket({ perSecond: 10, burst: 1, clock });
    const at: number[] = [];
    for (let i = 0; i < 3; i++) void bucket.take().then(() => at.push(clock.now()));
    await clock.advance(1000);
    expect(at).toEqual([0, 100, 200]);
  });
  it("an aborted wait gives its token back", async () => {
    const clock = createVirtualClock();
    const bucket = createTokenBucket({ perSecond: 1, burst: 1, clock });
    await bucket.take();
    const abort = new AbortController();
    const waiting = bucket.take(abort.signal);
    abort.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    expect(bucket.reserve()).toBe(1000);
  });
});

describe("waits remembered per key", () => {
  const make = (): [ReturnType<typeof createVirtualClock>, ReturnType<typeof createKeyedBackoff>] => {
    const clock = createVirtualClock({ startMs: 0 });
    return [clock, createKeyedBackoff({ initialMs: 10, maxMs: 50, clock })];
  };
  it("double up to the longest", () => {
    const [clock, backoff] = make();
    const waits = times(4, () => {
      backoff.next("a", clock.now());
      return backoff.get("a");
    });
    expect([...waits, backoff.get("b")]).toEqual([10, 20, 40, 50, 0]);
  });
  it("hold for their time", async () => {
    const [clock, backoff] = make();
    backoff.next("a", 0);
    expect([
      backoff.isInBackoffSince("a", 0),
      backoff.isInBackoffSinceUpdate("a", 9),
      backoff.isInBackoffSinceUpdate("a", 10),
    ]).toEqual([true, true, false]);
    await clock.advance(10);
    expect([backoff.isInBackoffSince("a", 0), backoff.isInBackoffSince("b", 0)]).toEqual([false, false]);
  });
  it("begin anew after a long quiet, and are forgotten then", async () => {
    const [clock, backoff] = make();
    backoff.next("a", 0);
    backoff.next("a", 0);
    await clock.advance(101);
    backoff.next("a", clock.now());
    expect(backoff.get("a")).toBe(10);
    await clock.advance(101);
    backoff.collect();
    expect(backoff.get("a")).toBe(0);
  });
});
