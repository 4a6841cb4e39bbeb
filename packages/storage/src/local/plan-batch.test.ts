import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { bytes } from "../conformance/bytes.js";
import { createTestClock } from "../conformance/index.js";
import type { PutWrite, Write } from "../contract/key-value-store.js";
import { SortedMap } from "../sorted-map/index.js";
import type { IndexEntry, Placement } from "./journal.js";
import { LeaseTable } from "./lease-table.js";
import { planBatch } from "./plan-batch.js";
import type { Request } from "./request.js";

const entry = (revision: number, lease?: number): IndexEntry => ({
  revision,
  createRevision: revision,
  version: 1,
  lease,
});
const put = (key: string, expected: number, lease?: number): Write => ({
  op: "put",
  key,
  value: bytes("v"),
  expected,
  ...(lease !== undefined && { lease }),
});
const drop = (key: string, expected: number): Write => ({ op: "delete", key, expected });
const check = (key: string, expected: number): Write => ({ op: "check", key, expected });
const write = (...writes: Write[]): Request => ({ do: "transaction", writes });

/** A transaction of one, asked for in the shorter way. */
function alone(request: Request): Request {
  const [one, ...more] = request.do === "transaction" ? request.writes : [];
  if (one === undefined || more.length > 0 || one.op === "check") return request;
  const { op, ...rest } = one;
  return op === "put" ? { do: "put", write: rest as PutWrite } : { do: "delete", write: rest };
}

/** A store at revision 10 with /a at 5 and /b at 7, tied to lease 1 (of 1000 ms) like /c at 8. */
function plan(
  requests: Request[],
  advanceMs = 0,
): {
  changes: string[];
  outcomes: string[];
  revision: number | undefined;
  leases: string[];
  compacted: number | undefined;
} {
  let now = 0;
  const clock = { ...createTestClock(), monotonic: () => now };
  const leases = new LeaseTable(clock, () => undefined);
  leases.restore(3, [{ lease: 1, ttlMs: 1000 }]);
  for (const key of ["/b", "/c"]) leases.tie(1, key);
  now = advanceMs;
  const index = SortedMap.from<IndexEntry>([
    ["/a", entry(5)],
    ["/b", entry(7, 1)],
    ["/c", entry(8, 1)],
  ]);
  const entryFor = ({ revision, createRevision, version, lease }: Placement): IndexEntry => ({
    revision,
    createRevision,
    version,
    lease,
  });
  const { batch, outcomes } = planBatch(requests, { index, revision: 10, compacted: 4 }, leases, { entryFor });
  return {
    changes: (batch?.changes ?? []).map(
      ({ revision, key, entry, previous }) =>
        `${revision} ${key} ${previous?.revision ?? "-"}→${entry ? `v${entry.version} c${entry.createRevision}` : "deleted"}`,
    ),
    outcomes: outcomes.map((outcome) =>
      outcome.kind === "done"
        ? `done ${outcome.revision}`
        : outcome.kind === "refused"
          ? outcome.error.reason
          : `conflict ${outcome.index} ${outcome.entry?.revision ?? "-"}${outcome.unsettled ? " unsettled" : ""}`,
    ),
    revision: batch?.revision,
    leases: (batch?.leases ?? []).map((change) => `${change.do} ${change.lease}`),
    compacted: batch?.compacted,
  };
}

const cases: readonly {
  name: string;
  requests: Request[];
  after?: number;
  changes?: string[];
  outcomes: string[];
  leases?: string[];
  compacted?: number;
}[] = [
  { name: "a create", requests: [write(put("/n", 0))], changes: ["11 /n -→v1 c11"], outcomes: ["done 11"] },
  { name: "an update", requests: [write(put("/a", 5))], changes: ["11 /a 5→v2 c5"], outcomes: ["done 11"] },
  {
    name: "a lost update takes no revision",
    requests: [write(put("/a", 4)), write(put("/n", 0))],
    changes: ["11 /n -→v1 c11"],
    outcomes: ["conflict 0 5", "done 11"],
  },
  {
    name: "a second write sees the first, though it is not durable yet",
    requests: [write(put("/a", 5)), write(put("/a", 11))],
    changes: ["11 /a 5→v2 c5", "12 /a 11→v3 c5"],
    outcomes: ["done 11", "done 12"],
  },
  {
    name: "a conflict with a write of the same batch is answered only when that is durable",
    requests: [write(put("/n", 0)), write(put("/n", 0))],
    changes: ["11 /n -→v1 c11"],
    outcomes: ["done 11", "conflict 0 11 unsettled"],
  },
  {
    name: "a key deleted and created in one batch begins anew",
    requests: [write(drop("/a", 5)), write(put("/a", 0))],
    changes: ["11 /a 5→deleted", "12 /a -→v1 c12"],
    outcomes: ["done 11", "done 12"],
  },
  {
    name: "a delete of nothing is a conflict, also when nothing was expected",
    requests: [write(drop("/n", 0))],
    outcomes: ["conflict 0 -"],
  },
  {
    name: "a transaction has one revision",
    requests: [write(put("/n", 0), check("/a", 5), drop("/c", 8))],
    changes: ["11 /n -→v1 c11", "11 /c 8→deleted"],
    outcomes: ["done 11"],
  },
  {
    name: "a transaction that loses writes nothing",
    requests: [write(put("/n", 0), put("/a", 9))],
    outcomes: ["conflict 1 5"],
  },
  { name: "checks alone take no revision", requests: [write(check("/a", 5))], outcomes: ["done 10"] },
  { name: "a put with a lease that never was", requests: [write(put("/n", 0, 99))], outcomes: ["lease-gone"] },
  {
    name: "a put with a lease that ends before it in the batch",
    requests: [{ do: "end lease", lease: 1, why: "revoked" }, write(put("/n", 0, 1))],
    changes: ["11 /b 7→deleted", "11 /c 8→deleted"],
    outcomes: ["done 11", "lease-gone"],
    leases: ["end 1"],
  },
  {
    name: "the end of a lease takes what was tied to it in the same batch",
    requests: [write(put("/n", 0, 1)), write(put("/b", 7)), { do: "end lease", lease: 1, why: "revoked" }],
    changes: ["11 /n -→v1 c11", "12 /b 7→v2 c7", "13 /c 8→deleted", "13 /n 11→deleted"],
    outcomes: ["done 11", "done 12", "done 13"],
    leases: ["end 1"],
  },
  {
    name: "a lease that was kept alive meanwhile does not expire",
    requests: [{ do: "end lease", lease: 1, why: "expired" }],
    after: 999,
    outcomes: ["done 10"],
  },
  {
    name: "a lease that is over expires once",
    requests: [
      { do: "end lease", lease: 1, why: "expired" },
      { do: "end lease", lease: 1, why: "expired" },
    ],
    after: 1000,
    changes: ["11 /b 7→deleted", "11 /c 8→deleted"],
    outcomes: ["done 11", "done 11"],
    leases: ["end 1"],
  },
  {
    name: "leases get new numbers",
    requests: [
      { do: "grant", ttlMs: 5 },
      { do: "grant", ttlMs: 5 },
    ],
    outcomes: ["done 10", "done 10"],
    leases: ["grant 4", "grant 5"],
  },
  {
    name: "a compaction",
    requests: [
      { do: "compact", revision: 6 },
      { do: "compact", revision: 5 },
    ],
    outcomes: ["done 10", "done 10"],
    compacted: 6,
  },
  {
    name: "a compaction that is behind the last one",
    requests: [{ do: "compact", revision: 3 }],
    outcomes: ["done 10"],
  },
  {
    name: "a compaction of the future, and of what this batch brings",
    requests: [{ do: "compact", revision: 11 }, write(put("/n", 0)), { do: "compact", revision: 11 }],
    changes: ["11 /n -→v1 c11"],
    outcomes: ["future", "done 11", "done 11"],
    compacted: 11,
  },
];

describe("a plan for a batch", () => {
  for (const { name, requests, after, changes = [], outcomes, leases = [], compacted } of cases) {
    it(name, () => {
      const planned = plan(requests, after);
      assert.deepEqual(
        { changes: planned.changes, outcomes: planned.outcomes, leases: planned.leases, compacted: planned.compacted },
        { changes, outcomes, leases, compacted },
      );
      assert.deepEqual(plan(requests.map(alone), after), planned, "a put or delete by itself is a transaction of one");
      assert.equal(
        planned.revision === undefined,
        changes.length + leases.length === 0 && compacted === undefined,
        "a plan without changes is no batch",
      );
    });
  }
});
