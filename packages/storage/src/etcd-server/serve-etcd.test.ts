import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { type Clock, systemClock } from "@coxswain/runtime/clock";
import type { GrpcServer } from "@coxswain/wire/grpc";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestClock, describeKeyValueStore } from "../conformance/index.js";
import type { KeyValueStore } from "../contract/key-value-store.js";
import { passOn } from "../contract/pass-on.js";
import { createEtcdClient, type EtcdClient } from "../etcd/etcd-client.js";
import { openEtcdStore } from "../etcd/index.js";
import { createMemoryStore } from "../memory/index.js";
import { rpc } from "./messages.js";
import { serveEtcd } from "./serve-etcd.js";

const text = (value: string): Uint8Array => Buffer.from(value);
const none = new Uint8Array(0);

describe("etcd's protocol on a store", () => {
  let folder: string;
  const servers = new Set<GrpcServer>();
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "coxswain-etcd-"))));
  afterAll(() => rmSync(folder, { recursive: true }));
  let socket = 0;
  const serve = async (
    clock: Clock = systemClock,
    store: KeyValueStore = createMemoryStore({ runtime: systemRuntime({ clock }) }),
  ): Promise<GrpcServer> => {
    const server = await serveEtcd({
      store,
      clock,
      listen: { path: join(folder, `${socket++}.sock`) },
    });
    servers.add(server);
    return server;
  };
  afterEach(async () => {
    for (const server of servers) await server.close();
    servers.clear();
  });

  /** Our own engine for etcd is the client: all that it promises over a real etcd holds over this one. */
  describeKeyValueStore("the etcd engine over a served store", {
    async open() {
      const clock = createTestClock(); // of the store's leases: nobody waits for them
      const { endpoint } = await serve(clock);
      const open = () => openEtcdStore({ endpoints: [endpoint], runtime: systemRuntime(), compactionIntervalMs: 0 });
      const store = await open();
      return {
        store,
        advance: (ms) => clock.advance(ms),
        async reopen() {
          await store.close();
          return open();
        },
      };
    },
    knownGaps: { "history has the notes of the writes": "etcd has no place for notes beside a value" },
    randomRuns: 1,
    randomSteps: 60,
  });

  describe("calls that the engine does not make", () => {
    let client: EtcdClient;
    beforeEach(async () => {
      const { endpoint } = await serve();
      client = createEtcdClient({ endpoints: [endpoint], runtime: systemRuntime() });
      for (const [key, value] of [
        ["/a", "3"],
        ["/b", "1"],
        ["/c", "2"],
        ["/b", "4"],
      ] as const)
        await client.call(rpc.put, { key: text(key), value: text(value) }, { kind: "write" });
    });
    afterEach(() => client.close());
    const keys = async (request: object): Promise<string[]> => {
      const { kvs } = await client.call(rpc.range, request, { kind: "read" });
      return kvs.map(({ key }) => Buffer.from(key).toString());
    };

    const ranges: [name: string, request: object, expected: string[]][] = [
      ["one key", { key: text("/b") }, ["/b"]],
      ["a prefix", { key: text("/"), range_end: text("0") }, ["/a", "/b", "/c"]],
      ["from a key to before another", { key: text("/a"), range_end: text("/c") }, ["/a", "/b"]],
      ["from a key on", { key: text("/b"), range_end: Buffer.alloc(1) }, ["/b", "/c"]],
      ["everything", { key: Buffer.alloc(1), range_end: Buffer.alloc(1) }, ["/a", "/b", "/c"]],
      ["backwards", { key: text("/"), range_end: text("0"), sort_order: 2 }, ["/c", "/b", "/a"]],
      ["by value", { key: text("/"), range_end: text("0"), sort_order: 1, sort_target: 4 }, ["/c", "/a", "/b"]],
      ["the last modified", { key: text("/"), range_end: text("0"), sort_order: 2, sort_target: 3, limit: 1 }, ["/b"]],
      ["modified since a revision", { key: text("/"), range_end: text("0"), min_mod_revision: 4 }, ["/b", "/c"]],
    ];
    for (const [name, request, expected] of ranges)
      it(`a range has ${name}`, async () => expect(await keys(request)).toEqual(expected));

    it("a delete of a range answers how many there were, and which", async () => {
      const { deleted, prev_kvs } = await client.call(
        rpc.deleteRange,
        { key: text("/a"), range_end: text("/c"), prev_kv: true },
        { kind: "write" },
      );
      expect(deleted).toBe(2);
      expect(prev_kvs.map(({ value }) => Buffer.from(value).toString())).toEqual(["3", "4"]);
      expect(await keys({ key: text("/"), range_end: text("0") })).toEqual(["/c"]);
    });

    it("a put may answer what stood there", async () => {
      const { prev_kv } = await client.call(
        rpc.put,
        { key: text("/a"), value: text("5"), prev_kv: true },
        { kind: "write" },
      );
      expect(Buffer.from(prev_kv?.value ?? none).toString()).toBe("3");
    });

    const transactions: [name: string, compare: object, succeeded: boolean][] = [
      ["a value", { result: 0, target: 3, key: text("/a"), value: text("3") }, true],
      ["a value that differs", { result: 0, target: 3, key: text("/a"), value: text("4") }, false],
      ["the value of a key that is not there", { result: 3, target: 3, key: text("/none"), value: text("4") }, false],
      ["a version", { result: 1, target: 0, key: text("/b"), version: 1 }, true],
      ["a revision that is less", { result: 2, target: 2, key: text("/a"), mod_revision: 2 }, false],
      ["all keys of a range", { result: 1, target: 1, key: text("/"), range_end: text("0"), create_revision: 1 }, true],
    ];
    for (const [name, compare, succeeded] of transactions)
      it(`a transaction compares ${name}`, async () => {
        const put = { request_put: { key: text("/done"), value: text("x") } };
        const answer = await client.call(rpc.txn, { compare: [compare], success: [put] }, { kind: "write" });
        expect(answer.succeeded).toBe(succeeded);
        expect(await keys({ key: text("/done") })).toEqual(succeeded ? ["/done"] : []);
      });

    it("the header of a range is not newer than what it returns, so that a watch from it misses nothing", async () => {
      const store = createMemoryStore({ runtime: systemRuntime() });
      const write = (value: string) => store.transaction([{ op: "put", key: "/a", value: text(value), expected: 0 }]);
      await write("1");
      // A write of somebody else between reading the records and answering.
      const behind: KeyValueStore = {
        ...passOn(store),
        async get(key, options) {
          const record = await store.get(key, options);
          await store.put({ key: "/b", value: text("2"), expected: 0 });
          return record;
        },
      };
      const served = await serve(systemClock, behind);
      const other = createEtcdClient({ endpoints: [served.endpoint], runtime: systemRuntime() });
      const { header } = await other.call(rpc.range, { key: text("/a") }, { kind: "read" });
      await other.close();
      expect(header?.revision).toBe(2);
    });

    it("a lease shows its time and its keys, and is in the list of leases", async () => {
      const { ID } = await client.call(rpc.leaseGrant, { TTL: 60 }, { kind: "write" });
      await client.call(rpc.put, { key: text("/leased"), value: none, lease: ID }, { kind: "write" });
      const {
        TTL,
        grantedTTL,
        keys: held,
      } = await client.call(rpc.leaseTimeToLive, { ID, keys: true }, { kind: "read" });
      expect([grantedTTL, TTL > 50, held.map((key) => Buffer.from(key).toString())]).toEqual([60, true, ["/leased"]]);
      expect((await client.call(rpc.leaseLeases, {}, { kind: "read" })).leases).toEqual([{ ID }]);
      expect((await client.call(rpc.leaseTimeToLive, { ID: 99n }, { kind: "read" })).TTL).toBe(-1);
    });

    it("a hash is the same until something changes", async () => {
      const hash = async (): Promise<number> => (await client.call(rpc.hashKeyValues, {}, { kind: "read" })).hash;
      const before = await hash();
      expect(await hash()).toBe(before);
      await client.call(rpc.put, { key: text("/a"), value: text("9") }, { kind: "write" });
      expect(await hash()).not.toBe(before);
    });

    const refused: [name: string, call: () => Promise<unknown>, message: string][] = [
      ["a key that is empty", () => keys({ key: none }), "key is not provided"],
      ["a key that is no text", () => keys({ key: Buffer.from([0xff]) }), "text in UTF-8"],
      ["a revision of the future", () => keys({ key: text("/a"), revision: 999 }), "future revision"],
      [
        "a key twice in a transaction",
        () =>
          client.call(
            rpc.txn,
            { success: [0, 1].map(() => ({ request_put: { key: text("/x"), value: none } })) },
            { kind: "write" },
          ),
        "duplicate key given in txn request",
      ],
      [
        "too many operations",
        () =>
          client.call(
            rpc.txn,
            { success: Array.from({ length: 129 }, (_, index) => ({ request_range: { key: text(`/${index}`) } })) },
            { kind: "write" },
          ),
        "too many operations in txn request",
      ],
      [
        "a lease that is not there",
        () => client.call(rpc.put, { key: text("/x"), value: none, lease: 77n }, { kind: "write" }),
        "requested lease not found",
      ],
    ];
    for (const [name, call, message] of refused)
      it(`${name} is refused in etcd's words`, () => expect(call()).rejects.toThrow(message));

    it("members and status are those of one etcd that leads", async () => {
      const { members } = await client.call(rpc.memberList, {}, { kind: "read" });
      const { leader, version } = await client.call(rpc.status, {}, { kind: "read" });
      expect(members.map(({ ID }) => ID)).toEqual([leader]);
      expect(version).toMatch(/^3\.6\./);
    });
  });

  it("TCP without an authority of clients is refused", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    await expect(serveEtcd({ store, clock: systemClock, listen: { port: 0 } })).rejects.toThrow("certificates");
  });
});
