import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Batch } from "../../local/index.js";
import { encodedChange, LogEntry } from "../log-record.js";
import { BatchRecord, decodeBatch } from "./batch-record.js";

const large = 2 ** 48 - 1;
const put = (key: string, revision: number, sub: number, size: number) => ({
  key,
  revision,
  entry: new LogEntry(revision, sub, revision, 1, undefined),
  previous: undefined,
  value: Buffer.alloc(size, sub),
  note: { time: 1, user: "ünder" },
});

describe("a batch in the write-ahead log", () => {
  const cases: { name: string; batch: Batch<LogEntry> }[] = [
    { name: "one put", batch: { revision: 5, changes: [put("/a", 5, 0, 1500)], leases: [], compacted: undefined } },
    {
      name: "a transaction among others",
      batch: {
        revision: 7,
        changes: [put("/a", 5, 0, 0), put("/\u{10000}", 6, 0, 10), put("/c", 6, 1, 100_000), put("/d", 7, 0, 1)],
        leases: [],
        compacted: undefined,
      },
    },
    {
      name: "a delete",
      batch: {
        revision: large,
        changes: [
          {
            key: "/a",
            revision: large,
            entry: undefined,
            previous: new LogEntry(3, 0, 3, 1, undefined),
            value: undefined,
            note: undefined,
          },
        ],
        leases: [],
        compacted: undefined,
      },
    },
    {
      name: "leases",
      batch: {
        revision: 5,
        changes: [],
        leases: [
          { do: "grant", lease: large, ttlMs: 1500.5 },
          { do: "end", lease: 2 },
        ],
        compacted: undefined,
      },
    },
    { name: "a compaction", batch: { revision: 5, changes: [], leases: [], compacted: 4 } },
  ];
  for (const { name, batch } of cases) {
    it(`is read as it was written: ${name}`, () => {
      const record = new BatchRecord(batch);
      const bytes = Buffer.alloc(record.maxBytes, 0xee);
      const { length, batch: written } = record.write(bytes);
      assert.ok(length <= record.maxBytes);
      const read = decodeBatch(bytes.subarray(0, length));
      const plain = ({ changes, ...rest }: typeof read): unknown => ({
        ...rest,
        changes: changes.map(({ revision, sub, bytes: change }) => ({
          revision,
          sub,
          bytes: Buffer.from(change).toString("hex"),
        })),
      });
      assert.deepEqual(plain(read), plain(written));
      assert.deepEqual(
        read.changes.map(({ bytes: change }) => Buffer.from(change)),
        batch.changes.map((change, i) =>
          encodedChange(change, {
            revision: change.revision,
            sub: batch.changes.slice(0, i).filter(({ revision }) => revision === change.revision).length,
            last: batch.changes[i + 1]?.revision !== change.revision,
          }),
        ),
      );
      const { revision, leases, compacted } = read;
      assert.deepEqual(
        { revision, leases, compacted },
        { revision: batch.revision, leases: batch.leases, compacted: batch.compacted },
      );
    });
  }
});
