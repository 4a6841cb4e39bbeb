import { describe, expect, it } from "vitest";
import { MemoryBudget } from "./memory-budget.js";

describe("the memory budget of requests", () => {
  const never = new AbortController().signal;
  function start() {
    const budget = new MemoryBudget({ totalBytes: 100 });
    const order: string[] = [];
    const take = (user: string, bytes: number, signal = never): Promise<() => void> =>
      Promise.resolve(budget.take(user, bytes, () => signal)).then((release) => {
        order.push(`${user} ${bytes}`);
        return release;
      });
    return { budget, order, take };
  }
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it("is taken at once while there is room", () => {
    const { budget } = start();
    const release = budget.take("a", 40, () => never);
    expect(release).toBeTypeOf("function");
    expect(budget.held).toBe(40);
    (release as () => void)();
    (release as () => void)();
    expect(budget.held).toBe(0);
  });

  it("makes a user wait for its own requests, and nobody else", async () => {
    const { order, take } = start();
    const first = await take("a", 40);
    void take("a", 20);
    await take("b", 50);
    expect(order).toEqual(["a 40", "b 50"]);
    first();
    await settled();
    expect(order).toEqual(["a 40", "b 50", "a 20"]);
  });

  it("serves a request that is larger than all of it, alone", async () => {
    const { budget, order, take } = start();
    const release = await take("a", 500);
    void take("b", 1);
    await settled();
    expect(order).toEqual(["a 500"]);
    release();
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
    first();
    await settled();
    expect(budget.held).toBe(0);
  });
});
