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
    const cache = createLruCache<string, number>({ limit: 10, isOver: (setAt) => clock.now() - setAt > 100 });
    const began = clock.now();
    for (const key of ["a", "b"]) cache.set(key, began);
    await clock.advance(60);
    cache.set("a", began + 60);
    await clock.advance(60);
    cache.set("c", began + 120);
    const found = [cache.get("a"), cache.get("b"), cache.get("c")];
    expect([cache.size, ...found]).toEqual([2, began + 60, undefined, began + 120]);
  });
});
