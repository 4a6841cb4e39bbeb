import { describe, expect, it } from "vitest";
import { runAtOnce, runInSlices, type Steps } from "./steps.js";

function* count(to: number, micros: number): Steps<number> {
  for (let at = 0; at < to; at++) yield micros;
  return to;
}

describe("work in steps", () => {
  it("is done at once where nobody else is to run", () => expect(runAtOnce(count(10, 1_000_000))).toBe(10));
  it("is done at once where it is shorter than a slice", () => expect(runInSlices(count(10, 499))).toBe(10));
  it("lets others run between two slices", async () => {
    let iterations = 0;
    let isOver = false;
    const tick = (): void => void (isOver || ((iterations += 1), setImmediate(tick)));
    setImmediate(tick);
    expect(await runInSlices(count(100, 1_000))).toBe(100);
    isOver = true;
    expect(iterations).toBeGreaterThanOrEqual(19);
  });
  it("ends when nobody wants its outcome any more", async () => {
    const stopping = new AbortController();
    const work = runInSlices(count(Number.POSITIVE_INFINITY, 1_000), { signal: stopping.signal }) as Promise<number>;
    stopping.abort(new Error("too late"));
    await expect(work).rejects.toThrow("too late");
  });
});
