import { describe, expect, it } from "vitest";
import { type HeldMemory, MemoryBudget } from "./memory-budget.js";

describe("the memory budget of requests", () => {
  const never = new AbortController().signal;
  function start() {
    const budget = new MemoryBudget({ totalBytes: 100 });
    const order: string[] = [];
    const take = (user: string, bytes: number, signal = never): Promise<HeldMemory> =>
      Promise.resolve(budget.take(user, bytes, () => signal)).then((held) => {
        order.push(`${user} ${bytes}`);
        return held;
      });
    return { budget, order, take };
  }
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it("is taken at once while there is room", () => {
    const { budget } = start();
    const held = budget.take("a", 40, () => never) as HeldMemory;
    expect(held).not.toBeInstanceOf(Promise);
    expect(budget.held).toBe(40);
    held.release();
    held.release();
    expect(budget.held).toBe(0);
  });

  it("makes a user wait for its own requests, and nobody else", async () => {
    const { order, take } = start();
    const first = await take("a", 40);
    void take("a", 20);
    await take("b", 50);
    expect(order).toEqual(["a 40", "b 50"]);
    first.release();
    await settled();
    expect(order).toEqual(["a 40", "b 50", "a 20"]);
  });

  it("lets others in when a request turns out to need less", async () => {
    const { budget, order, take } = start();
    const first = await take("a", 50);
    void take("a", 20);
    first.reduceTo(30);
    first.reduceTo(40);
    await settled();
    expect([order, budget.held]).toEqual([["a 50", "a 20"], 50]);
    first.release();
    expect(budget.held).toBe(20);
  });

  it("serves a request that is larger than all of it, alone", async () => {
    const { budget, order, take } = start();
    const large = await take("a", 500);
    void take("b", 1);
    await settled();
    expect(order).toEqual(["a 500"]);
    large.release();
    await settled();
    expect([order.at(-1), budget.held]).toEqual(["b 1", 1]);
  });

  it("forgets a request whose client is gone while it waits", async () => {
    const { budget, take } = start();
    const first = await take("a", 50);
    const leaving = new AbortController();
    const waiting = take("a", 50, leaving.signal);
    leaving.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    first.release();
    await settled();
    expect(budget.held).toBe(0);
  });
});
