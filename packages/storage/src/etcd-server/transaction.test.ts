import { systemRuntime } from "@coxswain/runtime";
import { describe, expect, it } from "vitest";
import type { KeyValueStore } from "../contract/key-value-store.js";
import { passOn } from "../contract/pass-on.js";
import { createMemoryStore } from "../memory/index.js";
import type { Compare, RangeRequest, RequestOp, ResponseOp } from "./messages.js";
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
const allOfIt = {
  limit: 0,
  revision: 0,
  sort_order: 0,
  sort_target: 0,
  serializable: false,
  keys_only: false,
  count_only: false,
  min_mod_revision: 0,
  max_mod_revision: 0,
  min_create_revision: 0,
  max_create_revision: 0,
};
const getRange = (key: string, end: Uint8Array, options: Partial<RangeRequest> = {}): RequestOp => ({
  ...nothing,
  request_range: { ...allOfIt, key: bytes(key), range_end: end, ...options },
});
const get = (key: string): RequestOp => getRange(key, none);
/** `key@revision, created at, version` */
const shown = (response: ResponseOp | undefined): string[] | undefined =>
  response?.response_range?.kvs?.map(
    ({ key, mod_revision, create_revision, version }) => `${key}@${mod_revision} ${create_revision} ${version}`,
  );

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
    const { responses, revision } = await transact(
      { ...leases, store: withRace(store, "/gone") },
      { compare: [], success: [put("/a"), remove("/gone")], failure: [] },
    );
    expect(responses?.[1]?.response_delete_range?.deleted).toBe(1);
    expect(revision).toBe(3);
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
    const { responses, revision } = await transact(
      { ...leases, store: withRace(store, "/r/2") },
      { compare: [], success: [put("/a"), removeRange("/r/", Buffer.alloc(1))], failure: [] },
    );
    expect([responses?.[1]?.response_delete_range?.deleted, revision]).toEqual([1, 3]);
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
    const { responses, revision } = await transact(
      { ...leases, store },
      { compare: [], success: [remove("/gone")], failure: [] },
    );
    expect([responses?.[0]?.response_delete_range?.deleted, revision]).toEqual([0, 1]);
  });
  it("a range sees what the operations before it wrote, and nothing of those behind it", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    for (const key of ["/r/1", "/r/2", "/r/3"]) await store.put({ key, value: bytes("1"), expected: 0 });
    const all = getRange("/r/", bytes("/r0"));
    const { responses, revision } = await transact(
      { ...leases, store },
      {
        compare: [],
        success: [all, put("/r/2"), remove("/r/1"), put("/r/0"), all, get("/r/2"), remove("/r/3")],
        failure: [],
      },
    );
    expect(revision).toBe(5);
    expect(shown(responses?.[0])).toEqual(["/r/1@2 2 1", "/r/2@3 3 1", "/r/3@4 4 1"]);
    expect(shown(responses?.[4])).toEqual(["/r/0@5 5 1", "/r/2@5 3 2", "/r/3@4 4 1"]);
    expect(shown(responses?.[5])).toEqual(["/r/2@5 3 2"]);
  });
  it("a range of a past revision sees nothing of what the transaction wrote", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    await store.put({ key: "/r/1", value: bytes("1"), expected: 0 });
    const past = getRange("/r/", bytes("/r0"), { revision: 2 });
    const { responses } = await transact(
      { ...leases, store },
      { compare: [], success: [put("/r/1"), past], failure: [] },
    );
    expect(shown(responses?.[1])).toEqual(["/r/1@2 2 1"]);
  });
  it("the limit of a range counts what the transaction wrote, and its order goes by it", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    for (const key of ["/r/1", "/r/2"]) await store.put({ key, value: bytes("1"), expected: 0 });
    const newest = getRange("/r/", bytes("/r0"), { limit: 1, sort_order: 2, sort_target: 3 });
    const { responses } = await transact(
      { ...leases, store },
      { compare: [], success: [put("/r/1"), newest], failure: [] },
    );
    expect(shown(responses?.[1])).toEqual(["/r/1@4 2 2"]);
    expect(responses?.[1]?.response_range).toMatchObject({ more: true, count: 2 });
  });
  for (const key of ["/r/1", "/r/2"])
    it(`one that reads a range and writes reads again when ${key} is written meanwhile`, async () => {
      const store = createMemoryStore({ runtime: systemRuntime() });
      await store.put({ key: "/r/0", value: bytes("1"), expected: 0 });
      const { responses } = await transact(
        { ...leases, store: withRace(store, key) },
        { compare: [], success: [getRange("/r/", bytes("/r0")), put("/r/1")], failure: [] },
      );
      expect(shown(responses?.[0])).toEqual(["/r/0@2 2 1", `${key}@3 3 1`]);
    });
  it("one that reads a key and writes it does both", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    const { responses } = await transact(
      { ...leases, store },
      { compare: [], success: [get("/a"), put("/a"), get("/a")], failure: [] },
    );
    expect([shown(responses?.[0]), shown(responses?.[2])]).toEqual([[], ["/a@2 2 1"]]);
  });
  it("transactions within it see and answer what was written before them, and compare what was there before it", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    const isNew = { result: 0, target: 0, key: bytes("/a"), range_end: none, version: 0 } as Compare;
    const inner = { compare: [isNew], success: [get("/a"), put("/b")], failure: [put("/c")] };
    const { responses } = await transact(
      { ...leases, store },
      { compare: [], success: [put("/a"), { ...nothing, request_txn: inner }, get("/b")], failure: [] },
    );
    const within = responses[1]?.response_txn;
    expect([within?.succeeded, within?.header, shown(within?.responses[0])]).toEqual([true, {}, ["/a@2 2 1"]]);
    expect(shown(responses[2])).toEqual(["/b@2 2 1"]);
    expect(await store.get("/c")).toBeUndefined();
  });
  const within = (...success: RequestOp[]): RequestOp => ({
    ...nothing,
    request_txn: { compare: [], success, failure: [] },
  });
  const refused: [name: string, success: RequestOp[], message: string][] = [
    [
      "a key that a transaction within it puts, too",
      [within(put("/a")), put("/a")],
      "duplicate key given in txn request",
    ],
    ["a key that two transactions within it put", [within(put("/a")), within(put("/a"))], "duplicate key given"],
    ["a key that a transaction within it deletes", [put("/a"), within(remove("/a"))], "duplicate key given"],
    [
      "too many operations, with those within it",
      Array.from({ length: 127 }, () => within(put("/a"), put("/b"))),
      "too many",
    ],
    [
      "a key put by a transaction within it and deleted by another, which etcd allows",
      [within(put("/a")), within(remove("/a"))],
      "deletes no key that",
    ],
  ];
  for (const [name, success, message] of refused)
    it(`one is refused with ${name}`, async () => {
      const store = createMemoryStore({ runtime: systemRuntime() });
      await expect(transact({ ...leases, store }, { compare: [], success, failure: [] })).rejects.toThrow(message);
    });
  it("either branch of a transaction within it may put the same key", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    const either: RequestOp = { ...nothing, request_txn: { compare: [], success: [put("/a")], failure: [put("/a")] } };
    await transact({ ...leases, store }, { compare: [], success: [either], failure: [] });
    expect((await store.get("/a"))?.version).toBe(1);
  });
  it("each operation is answered with the revision that it saw", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    const { responses } = await transact(
      { ...leases, store: withRace(store, "/elsewhere") },
      { compare: [], success: [get("/a"), put("/a"), get("/a"), remove("/b")], failure: [] },
    );
    const headers = responses.map(
      (one) => (one.response_range ?? one.response_put ?? one.response_delete_range)?.header?.revision,
    );
    expect(headers).toEqual([2, 3, 3, 3]);
  });
});
