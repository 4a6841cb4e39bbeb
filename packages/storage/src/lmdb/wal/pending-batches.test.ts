import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Batch } from "../../local/index.js";
import { ChangeReader, LogEntry } from "../log-record.js";
import { findChange, PendingBatches } from "./pending-batches.js";

/** A batch of one put; the value is the revision, again and again. */
const put = (revision: number, size = 1000): Batch<LogEntry> => ({
  revision,
  changes: [
    {
      key: "/k",
      revision,
      entry: new LogEntry(revision, 0, revision, 1, undefined),
      previous: undefined,
      value: Buffer.alloc(size, revision),
      note: undefined,
    },
  ],
  leases: [],
  compacted: undefined,
});

describe("what is pending", () => {
  /** The value that stands there, identified by its first byte; all of it must be the same. */
  function valueAt(pending: Pick<PendingBatches, "changes">, revision: number): number | undefined {
    const bytes = findChange(pending.changes, { revision, sub: 0 });
    if (bytes === undefined) return undefined;
    const value = bytes.subarray(new ChangeReader(bytes).valueStart);
    assert.ok(value.every((byte) => byte === value[0]));
    return value[0];
  }

  it("is found by its position, and nothing else is", () => {
    const pending = new PendingBatches();
    for (let revision = 10; revision < 200; revision++) pending.add(put(revision));
    for (let revision = 10; revision < 200; revision++) assert.equal(valueAt(pending, revision), revision);
    for (const other of [
      { revision: 9, sub: 0 },
      { revision: 200, sub: 0 },
      { revision: 20, sub: 1 },
    ])
      assert.equal(findChange(pending.changes, other), undefined);
  });

  it("is gone once it is in the file, oldest first, and so much is left", () => {
    const pending = new PendingBatches();
    const batches = Array.from({ length: 50 }, (_, i) => pending.add(put(i + 1)));
    const each = batches[0]!.length;
    assert.equal(pending.bytes, 50 * each);
    const first = pending.oldest(batches[39]!, 10 * each);
    assert.deepEqual(first, batches.slice(0, 10));
    pending.dropOldest(first, { reuse: true });
    assert.equal(valueAt(pending, 10), undefined);
    assert.equal(valueAt(pending, 11), 11);
    assert.equal(pending.bytes, 40 * each);
    assert.deepEqual(
      pending.oldest(batches[12]!, 1000 * each),
      batches.slice(10, 13),
      "none behind the one that is named",
    );
    assert.deepEqual(pending.oldest(batches[12]!, 1), batches.slice(10, 11), "at least one");
  });

  it("is as before when the newest is taken back", () => {
    const pending = new PendingBatches();
    pending.add(put(1));
    const second = pending.add(put(2));
    pending.dropNewest(second);
    assert.equal(valueAt(pending, 2), undefined);
    pending.add(put(3));
    assert.deepEqual([valueAt(pending, 1), valueAt(pending, 3)], [1, 3]);
  });

  it("stays unchanged for a reader, whatever replaces it", () => {
    const pending = new PendingBatches();
    for (let revision = 1; revision <= 5; revision++) pending.add(put(revision));
    const reader = { changes: pending.changes };
    for (let revision = 6; revision < 100; revision++) {
      pending.dropOldest(pending.oldest(pending.newest!, 1), { reuse: false });
      pending.add(put(revision, 5000));
    }
    for (let revision = 1; revision <= 5; revision++) assert.equal(valueAt(reader, revision), revision);
  });

  it("uses its memory again", () => {
    const pending = new PendingBatches();
    const memory = new Set<ArrayBufferLike>();
    for (let revision = 1; revision < 1000; revision++) {
      memory.add(pending.add(put(revision, 5000)).record.bytes.buffer);
      if (revision % 100 === 0) pending.dropOldest(pending.oldest(pending.newest!, Infinity), { reuse: true });
    }
    // A hundred of them take about 800 KB.
    assert.ok(memory.size <= 6, `${memory.size} rooms`);
  });

  it("may be larger than a room", () => {
    const pending = new PendingBatches();
    pending.add(put(1));
    pending.add(put(2, 1_000_000));
    pending.add(put(3));
    assert.deepEqual(
      [1, 2, 3].map((revision) => valueAt(pending, revision)),
      [1, 2, 3],
    );
  });
});
