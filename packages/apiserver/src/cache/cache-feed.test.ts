import { setMaxListeners } from "node:events";
import { createVirtualClock } from "@coxswain/apimachinery/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { startCacheFeed } from "./cache-feed.js";

describe("waiting for a revision", () => {
  it("is forgotten when the request is aborted", async () => {
    const clock = createVirtualClock();
    const feed = await startCacheFeed(createMemoryStore({ clock }), [], clock);
    const gone = new AbortController();
    setMaxListeners(0, gone.signal);
    const waits = Array.from({ length: 100 }, () => feed.reach(1_000_000, gone.signal));
    expect(feed.waiterCount()).toBe(100);
    gone.abort(new Error("gone"));
    for (const wait of waits) await expect(wait).rejects.toThrow("gone");
    expect(feed.waiterCount()).toBe(0);
    await expect(feed.reach(1_000_000, gone.signal)).rejects.toThrow("gone");
    expect(feed.waiterCount()).toBe(0);
    await feed.stop();
  });
});
