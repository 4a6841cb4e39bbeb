import { systemRuntime } from "@coxswain/runtime";
import { describe, expect, it } from "vitest";
import type { KeyValueStore } from "../contract/key-value-store.js";
import { passOn } from "../contract/pass-on.js";
import { createMemoryStore } from "../memory/index.js";
import type { RequestOp } from "./messages.js";
import { transact } from "./transaction.js";

const bytes = (value: string): Uint8Array => Buffer.from(value);
const none = new Uint8Array(0);
const nothing = {
  request_range: undefined,
  request_put: undefined,
  request_delete_range: undefined,
  request_txn: undefined,
};
const put = (key: string): RequestOp => ({
  ...nothing,
  request_put: {
    key: bytes(key),
    value: bytes("1"),
    lease: 0n,
    prev_kv: false,
    ignore_value: false,
    ignore_lease: false,
  },
});
const remove = (key: string): RequestOp => ({
  ...nothing,
  request_delete_range: { key: bytes(key), range_end: none, prev_kv: false },
});

/** Somebody else writes a key between the reads of the first transaction and its writes. */
function withRace(store: KeyValueStore, key: string): KeyValueStore {
  let isOver = false;
  return {
    ...passOn(store),
    async transaction(writes, signal) {
      if (!isOver) await store.put({ key, value: bytes("theirs"), expected: 0 });
      isOver = true;
      return store.transaction(writes, signal);
    },
  };
}

const leases = { leaseOf: (name: bigint) => Number(name), leaseName: (lease: number) => BigInt(lease) };

describe("transactions by etcd's protocol", () => {
  it("one that deletes a key which is not there sees it when it comes before the other writes", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    const { responses, header } = await transact(
      { ...leases, store: withRace(store, "/gone") },
      { compare: [], success: [put("/a"), remove("/gone")], failure: [] },
    );
    expect(responses?.[1]?.response_delete_range?.deleted).toBe(1);
    expect(header?.revision).toBe(3);
    expect(await store.get("/gone")).toBeUndefined();
  });
  it("one that only deletes what is not there writes nothing", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    const { responses, header } = await transact(
      { ...leases, store },
      { compare: [], success: [remove("/gone")], failure: [] },
    );
    expect([responses?.[0]?.response_delete_range?.deleted, header?.revision]).toEqual([0, 1]);
  });
});
