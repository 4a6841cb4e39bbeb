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
  it("is at most a minute old", async () => {
    const { clock, cache, reads } = start();
    await cache.get("a");
    await cache.get("a");
    expect(reads).toEqual(["a"]);
    await clock.advance(60_000);
    await cache.get("a");
    cache.forget("a");
    await cache.get("a");
    expect(reads).toEqual(["a", "a", "a"]);
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
