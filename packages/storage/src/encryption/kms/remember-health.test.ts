import { describe, expect, it } from "vitest";
import { createTestClock } from "../../conformance/index.js";
import { rememberHealth } from "./remember-health.js";

describe("the health of a plugin", () => {
  it("is cached for 20 s when it was healthy and for 3 s when it was not", async () => {
    const clock = createTestClock();
    let fails: string | undefined;
    let asked = 0;
    const health = rememberHealth(() => {
      asked += 1;
      return fails === undefined ? Promise.resolve() : Promise.reject(new Error(fails));
    }, clock);
    expect(await Promise.all([health(), health()])).toEqual([undefined, undefined]);
    expect(asked).toBe(1);
    fails = "down";
    await clock.advance(19_999);
    expect(await health()).toBeUndefined();
    await clock.advance(1);
    expect(await health()).toBe("down");
    fails = undefined;
    await clock.advance(2_999);
    expect(await health()).toBe("down");
    await clock.advance(1);
    expect(await health()).toBeUndefined();
    expect(asked).toBe(3);
  });
});
