import { systemRuntime } from "@coxswain/runtime";
import { describe, expect, it } from "vitest";
import type { KeyValueStore } from "../contract/key-value-store.js";
import { passOn } from "../contract/pass-on.js";
import { createMemoryStore } from "../memory/index.js";
import type { Compare, RequestOp } from "./messages.js";
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
const removeRange = (key: string, end: Uint8Array): RequestOp => ({
  ...nothing,
  request_delete_range: { key: bytes(key), range_end: end, prev_kv: false },
});
const remove = (key: string): RequestOp => removeRange(key, none);

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
  it("one that deletes a range deletes a key, too, that appears before it is carried out", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    await store.put({ key: "/r/1", value: bytes("1"), expected: 0 });
    const { responses } = await transact(
      { ...leases, store: withRace(store, "/r/2") },
      { compare: [], success: [put("/a"), removeRange("/r/", bytes("/r0"))], failure: [] },
    );
    expect(responses?.[1]?.response_delete_range?.deleted).toBe(2);
    expect((await store.range({ prefix: "/r/" })).records).toEqual([]);
  });
  it("one that deletes a range where nothing is writes nothing else when a key appears there before", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    const { responses, header } = await transact(
      { ...leases, store: withRace(store, "/r/2") },
      { compare: [], success: [put("/a"), removeRange("/r/", Buffer.alloc(1))], failure: [] },
    );
    expect([responses?.[1]?.response_delete_range?.deleted, header?.revision]).toEqual([1, 3]);
  });
  it("one that compares a range compares a key, too, that appears before it is carried out", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    const version = { result: 0, target: 0, key: bytes("/r/"), range_end: bytes("/r0"), version: 0 } as Compare;
    const { succeeded } = await transact(
      { ...leases, store: withRace(store, "/r/2") },
      { compare: [version], success: [put("/a")], failure: [] },
    );
    expect(succeeded).toBe(false);
    expect(await store.get("/a")).toBeUndefined();
  });
  it("one that deletes a key and its range deletes it once", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    await store.put({ key: "/r/1", value: bytes("1"), expected: 0 });
    const { responses } = await transact(
      { ...leases, store },
      { compare: [], success: [remove("/r/1"), removeRange("/r/", bytes("/r0"))], failure: [] },
    );
    expect(responses?.map((one) => one.response_delete_range?.deleted)).toEqual([1, 0]);
  });
  it("one that puts a key of a range that it deletes is refused in etcd's words", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    const request = { compare: [], success: [removeRange("/r/", bytes("/r0")), put("/r/1")], failure: [] };
    await expect(transact({ ...leases, store }, request)).rejects.toThrow("duplicate key given in txn request");
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
