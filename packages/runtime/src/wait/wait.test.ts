import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../clock/index.js";
import { pollUntil, runEvery, sleep } from "./index.js";

describe("sleep", () => {
  it("ends when the time has come", async () => {
    const clock = createVirtualClock({ startMs: 0 });
    let woke = -1;
    void sleep(30, { clock }).then(() => (woke = clock.now()));
    await clock.advance(29);
    expect(woke).toBe(-1);
    await clock.advance(1);
    expect(woke).toBe(30);
  });
  it("rejects with the reason when aborted, and leaves no timer", async () => {
    const clock = createVirtualClock();
    const abort = new AbortController();
    const sleeping = sleep(1000, { clock, signal: abort.signal });
    abort.abort(new Error("enough"));
    await expect(sleeping).rejects.toThrow("enough");
    expect(clock.nextTimer).toBeUndefined();
  });
  it("does not begin when already aborted", () =>
    expect(sleep(1, { signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow("no"));
});

describe("pollUntil", () => {
  const looking = (yesAfter: number): (() => boolean) => {
    let looks = 0;
    return () => ++looks > yesAfter;
  };
  it("looks at once", async () =>
    expect(await pollUntil(looking(0), { intervalMs: 10, clock: createVirtualClock() })).toBe(true));
  it("looks again after each interval", async () => {
    const clock = createVirtualClock({ startMs: 0 });
    let answer: [boolean, number] | undefined;
    void pollUntil(looking(3), { intervalMs: 10, clock }).then((yes) => (answer = [yes, clock.now()]));
    await clock.advance(100);
    expect(answer).toEqual([true, 30]);
  });
  it("gives up when time runs out, after a last look", async () => {
    const clock = createVirtualClock({ startMs: 0 });
    let answer: [boolean, number] | undefined;
    void pollUntil(looking(9), { intervalMs: 10, timeoutMs: 25, clock }).then((yes) => (answer = [yes, clock.now()]));
    await clock.advance(100);
    expect(answer).toEqual([false, 25]);
  });
  it("ends when aborted", async () => {
    const signal = AbortSignal.abort(new Error("stop"));
    await expect(pollUntil(looking(5), { intervalMs: 1, clock: createVirtualClock(), signal })).rejects.toThrow("stop");
  });
});

describe("runEvery", () => {
  async function runsOf(options: { sliding: boolean }): Promise<number[]> {
    const clock = createVirtualClock({ startMs: 0 });
    const abort = new AbortController();
    const began: number[] = [];
    const work = async (): Promise<void> => {
      began.push(clock.now());
      await sleep(4, { clock });
    };
    const loop = runEvery(work, { intervalMs: 10, clock, signal: abort.signal, ...options });
    await clock.advance(35);
    abort.abort();
    await clock.advance(10);
    await loop;
    return began;
  }
  it("counts the interval from the end of a run", async () =>
    expect(await runsOf({ sliding: true })).toEqual([0, 14, 28]));
  it("or from its beginning", async () => expect(await runsOf({ sliding: false })).toEqual([0, 10, 20, 30]));
  it("survives a failed run when `onError` is given", async () => {
    const clock = createVirtualClock();
    const abort = new AbortController();
    const errors: unknown[] = [];
    const loop = runEvery(
      () => {
        throw new Error("no luck");
      },
      { intervalMs: 1, clock, signal: abort.signal, onError: (error) => errors.push(error) },
    );
    await clock.advance(3);
    abort.abort();
    await loop;
    expect(errors).toHaveLength(4);
  });
});
