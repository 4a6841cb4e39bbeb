import { createVirtualClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import { createLruCache } from "./lru-cache.js";

describe("a cache of the entries used last", () => {
  it("drops the one that was not used for longest", () => {
    const cache = createLruCache<string, number>({ limit: 2 });
    cache.set("a", 1);
    cache.set("b", 2);
    cache.get("a");
    cache.set("c", 3);
    expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([1, undefined, 3]);
  });

  it("drops what expired with the next entry", async () => {
    const clock = createVirtualClock();
    const cache = createLruCache<string, number>({ limit: 10, expiry: { clock, afterMs: 100 } });
    for (const key of ["a", "b"]) cache.set(key, 1);
    await clock.advance(60);
    cache.set("a", 2);
    await clock.advance(60);
    cache.set("c", 3);
    expect([cache.size, cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([2, 2, undefined, 3]);
  });
});
