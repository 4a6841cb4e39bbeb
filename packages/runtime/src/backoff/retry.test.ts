import { describe, expect, it } from "vitest";
import { during } from "../activity/index.js";
import { createVirtualClock } from "../clock/index.js";
import { retry } from "./index.js";

describe("retry", () => {
  const failing = (times: number): (() => Promise<string>) => {
    let tries = 0;
    return async () => {
      if (tries++ < times) throw new Error(`try ${tries}`);
      return `worked at ${tries}`;
    };
  };
  async function outcome(times: number, isRetriable = (): boolean => true): Promise<string> {
    const clock = createVirtualClock();
    const backoff = { initialMs: 10, steps: 3 };
    const result = during(clock.activity, () => Promise.resolve()).then(() =>
      retry(failing(times), { backoff, clock, isRetriable }),
    );
    const settled = result.catch((error: Error) => `failed: ${error.message}`);
    await clock.advance(1000);
    return settled;
  }
  it("tries again", async () => expect(await outcome(2)).toBe("worked at 3"));
  it("gives up with the last error", async () => expect(await outcome(5)).toBe("failed: try 3"));
  it("gives up at once on other errors", async () => expect(await outcome(1, () => false)).toBe("failed: try 1"));
});
