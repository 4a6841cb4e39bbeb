import { setMaxListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { createRevisionWaiters } from "./revision-waiters.js";

describe("waiting for a revision", () => {
  it("ends when it is reached", async () => {
    const waiters = createRevisionWaiters(1);
    const { signal } = new AbortController();
    const waits = [2, 3, 3].map((revision) => waiters.reach(revision, signal));
    waiters.advance(3);
    await Promise.all(waits);
    expect(waiters.size).toBe(0);
  });

  it("is forgotten when the request is aborted", async () => {
    const waiters = createRevisionWaiters(1);
    const gone = new AbortController();
    setMaxListeners(0, gone.signal);
    const waits = Array.from({ length: 100 }, () => waiters.reach(1_000_000, gone.signal));
    expect(waiters.size).toBe(100);
    gone.abort(new Error("gone"));
    for (const wait of waits) await expect(wait).rejects.toThrow("gone");
    expect(waiters.size).toBe(0);
    await expect(waiters.reach(1_000_000, gone.signal)).rejects.toThrow("gone");
    expect(waiters.size).toBe(0);
  });
});
