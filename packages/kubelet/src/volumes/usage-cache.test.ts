import { createVirtualClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import { createUsageCache } from "./usage-cache.js";

function start() {
  const clock = createVirtualClock();
  const reads: string[] = [];
  const state = { running: 0, most: 0, isBroken: false };
  const cache = createUsageCache(clock, async (podUid) => {
    reads.push(podUid);
    state.most = Math.max(state.most, ++state.running);
    await Promise.resolve();
    state.running--;
    if (state.isBroken) throw new Error("no disk");
    return [{ name: podUid, usedBytes: reads.length, inodes: 1, isInMemory: false }];
  });
  return { clock, cache, reads, state };
}

describe("usage of volumes", () => {
  it("is read once a minute, and nobody waits for the second reading", async () => {
    const { clock, cache, reads } = start();
    const used = async (): Promise<number | undefined> => (await cache.get("a"))[0]?.usedBytes;
    expect([await used(), await used(), reads.length]).toEqual([1, 1, 1]);
    await clock.advance(60_000);
    expect(await used()).toBe(1);
    await clock.advance(1);
    expect([await used(), reads.length]).toEqual([2, 2]);
    cache.forget("a");
    expect(await used()).toBe(3);
  });

  it("of many pods is read one after the other", async () => {
    const { cache, state } = start();
    await Promise.all(["a", "b", "c"].map((uid) => cache.get(uid)));
    expect(state.most).toBe(1);
  });

  it("that could not be read is read again, and others are not held up", async () => {
    const { cache, state, reads } = start();
    state.isBroken = true;
    const [failed] = await Promise.allSettled([cache.get("a")]);
    state.isBroken = false;
    expect([failed.status, (await cache.get("a")).length, reads.length]).toEqual(["rejected", 1, 2]);
  });
});
