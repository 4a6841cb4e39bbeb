import { createVirtualClock } from "@coxswain/runtime/clock";
import type { StoreStatus } from "@coxswain/storage";
import { describe, expect, it } from "vitest";
import { createStoreHealth, storeSize } from "./store-health.js";

const status: StoreStatus = { engine: "lmdb", revision: 1, compactedRevision: 0, keys: 0, sizeBytes: 42 };
const never = new Promise<never>(() => {});

describe("the health of the store", () => {
  const cases = [
    { name: "it answers", read: async () => 1, want: status, problem: undefined },
    {
      name: "its disk has failed",
      read: async () => 1,
      want: { ...status, readOnly: "a sync failed" },
      problem: "a sync failed",
    },
    {
      name: "an etcd that is full is well enough",
      read: async () => 1,
      want: { ...status, engine: "etcd" as const, readOnly: "no space" },
      problem: undefined,
    },
    {
      name: "it cannot be reached",
      read: async () => Promise.reject(new Error("connection refused")),
      want: status,
      problem: "error getting data from etcd: connection refused",
    },
  ];
  for (const { name, read, want, problem } of cases) {
    it(name, async () =>
      expect(await createStoreHealth({ readRevision: read, status: async () => want }, createVirtualClock())()).toBe(
        problem,
      ),
    );
  }

  it("two seconds are enough", async () => {
    const clock = createVirtualClock();
    let asked = 0;
    const health = createStoreHealth({ readRevision: () => ((asked += 1), never), status: async () => status }, clock);
    const both = Promise.all([health(), health()]);
    await clock.advance(2_000);
    expect(await both).toEqual([
      "error getting data from etcd: context deadline exceeded",
      "error getting data from etcd: context deadline exceeded",
    ]);
    expect(asked).toBe(1);
  });

  it("its size is known or not", async () => {
    const clock = createVirtualClock();
    expect(await storeSize({ readRevision: async () => 1, status: async () => status }, clock)).toBe(42);
    const late = storeSize({ readRevision: async () => 1, status: () => never }, clock);
    await clock.advance(2_000);
    expect(await late).toBeUndefined();
  });
});
