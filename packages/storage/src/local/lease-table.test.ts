import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { createTestClock } from "../conformance/index.js";
import { LeaseTable } from "./lease-table.js";

const grant = (lease: number, ttlMs: number) => ({ do: "grant" as const, lease, ttlMs });

describe("the table of leases", () => {
  it("reports when each expires, in time and by one timer", async () => {
    const clock = createTestClock();
    const over: string[] = [];
    const table: LeaseTable = new LeaseTable(clock, (lease) => {
      over.push(`${lease} at ${clock.monotonic()}`);
      table.apply([], [{ do: "end", lease }]);
    });
    table.apply([], [grant(1, 500), grant(2, 100), grant(3, 300)]);
    await clock.advance(1000);
    assert.deepEqual(over, ["2 at 100", "3 at 300", "1 at 500"]);
  });

  it("moves the end back when it is kept alive", async () => {
    const clock = createTestClock();
    const over: number[] = [];
    const table = new LeaseTable(clock, (lease) => over.push(lease));
    table.apply([], [grant(1, 100)]);
    for (let i = 0; i < 5; i++) {
      await clock.advance(90);
      assert.equal(table.keepAlive(1), true);
    }
    assert.deepEqual(over, []);
    await clock.advance(101);
    assert.deepEqual(over, [1]);
    assert.equal(table.keepAlive(1), false, "its time is over, though it was not ended yet");
    assert.equal(table.keepAlive(7), false);
  });

  it("knows the keys that hang on a lease as they come and go", () => {
    const table = new LeaseTable(createTestClock(), () => undefined);
    const entry = (lease?: number) => ({ revision: 1, createRevision: 1, version: 1, lease });
    const change = (key: string, before: number | undefined, after: number | undefined | "deleted") => ({
      revision: 1,
      key,
      previous: entry(before),
      entry: after === "deleted" ? undefined : entry(after),
      value: undefined,
      note: undefined,
    });
    table.apply([], [grant(1, 100), grant(2, 100)]);
    table.apply([change("/a", undefined, 1), change("/b", undefined, 1), change("/c", undefined, 1)], []);
    table.apply([change("/a", 1, 2), change("/b", 1, "deleted")], []);
    assert.deepEqual([[...table.keysOf(1)], [...table.keysOf(2)]], [["/c"], ["/a"]]);
  });

  it("stops its timer", async () => {
    const clock = createTestClock();
    const table = new LeaseTable(clock, () => assert.fail("it was stopped"));
    table.apply([], [grant(1, 100)]);
    table.stop();
    await clock.advance(1000);
  });
});
