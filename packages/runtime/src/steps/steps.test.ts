import { describe, expect, it } from "vitest";
import { noActivity } from "../activity/index.js";
import { estimatedTime, TaskScheduler } from "../scheduler/index.js";
import { runAtOnce, runSteps, type Steps } from "./steps.js";

function* count(to: number, micros: number): Steps<number> {
  for (let at = 0; at < to; at++) yield micros;
  return to;
}

/** Slices of 5 ms, by estimates. */
const createScheduler = (): TaskScheduler => new TaskScheduler({ time: estimatedTime(), activity: noActivity });

describe("work in steps", () => {
  it("is done at once where nobody else is to run", () => expect(runAtOnce(count(10, 1_000_000))).toBe(10));
  it("is done at once where it is shorter than a slice", () =>
    expect(runSteps(createScheduler(), count(10, 499))).toBe(10));
  it("makes no signal where it is shorter than a slice", () => {
    const ending = {
      get signal(): AbortSignal {
        throw new Error("a signal was asked for");
      },
    };
    expect(runSteps(createScheduler(), count(10, 499), ending)).toBe(10);
  });
  it("lets others run between two slices", async () => {
    let iterations = 0;
    let isOver = false;
    const tick = (): void => void (isOver || ((iterations += 1), setImmediate(tick)));
    setImmediate(tick);
    expect(await runSteps(createScheduler(), count(100, 1_000))).toBe(100);
    isOver = true;
    expect(iterations).toBeGreaterThanOrEqual(19);
  });
  it("ends when nobody wants its outcome any more", async () => {
    const { signal, abort } = abortable();
    const work = runSteps(createScheduler(), count(Number.POSITIVE_INFINITY, 1_000), { signal }) as Promise<number>;
    abort(new Error("too late"));
    await expect(work).rejects.toThrow("too late");
  });
});

function abortable() {
  const stopping = new AbortController();
  return { signal: stopping.signal, abort: (reason: Error) => stopping.abort(reason) };
}
