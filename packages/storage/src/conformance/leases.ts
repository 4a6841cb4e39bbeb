import assert from "node:assert/strict";
import type { KeyValueStore } from "../contract/key-value-store.js";
import { bytes } from "./bytes.js";
import { follow } from "./follow.js";
import type { Check } from "./store-under-test.js";
import { rejectsWith, revisionOf, write } from "./writing.js";

/** Lets time pass until a key is gone: on the store's clock, and a little on the real one for its disk. */
export async function waitUntilGone(
  store: KeyValueStore,
  key: string,
  advance: (ms: number) => Promise<void>,
): Promise<void> {
  for (const end = performance.now() + 15_000; performance.now() < end; ) {
    if ((await store.get(key)) === undefined) return;
    await advance(250);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.fail(`${key} is still there`);
}

export const leaseChecks: readonly Check[] = [
  {
    title: "a record names its lease, and only while it has one",
    async body({ store }) {
      const lease = await store.leases.grant(60_000);
      const a = await write(store, "/a", "1", 0, lease);
      assert.equal((await store.get("/a"))?.lease, lease);
      await write(store, "/a", "2", a);
      assert.ok(!("lease" in (await store.get("/a"))!));
    },
  },
  {
    title: "a revoked lease takes its keys with it, in one revision and in order",
    async body({ store }) {
      const lease = await store.leases.grant(60_000);
      const from = await revisionOf(store);
      const watch = follow(store, { prefix: "/", from });
      for (const key of ["/c", "/a", "/b"]) await write(store, key, "1", 0, lease);
      const kept = await write(store, "/kept", "1");
      await store.leases.revoke(lease);
      const revision = await revisionOf(store);
      assert.equal(revision, kept + 1);
      await watch.reach(revision);
      assert.deepEqual(
        watch.seen.slice(4),
        ["/a", "/b", "/c"].map((key) => `delete ${key} @${revision}`),
      );
      assert.equal((await store.range({ prefix: "/", countOnly: true })).count, 1);
      await watch.stop();
    },
  },
  {
    title: "a revocation resolves to the revision of its deletions, whatever is written with it",
    async body({ store }) {
      const lease = await store.leases.grant(60_000);
      await write(store, "/a", "1", 0, lease);
      const from = await revisionOf(store);
      const watch = follow(store, { prefix: "/", from });
      const [ended] = await Promise.all([
        store.leases.revoke(lease),
        ...["/b", "/c", "/d"].map((key) => write(store, key, "1")),
      ]);
      await watch.reach(await revisionOf(store));
      assert.ok(watch.seen.includes(`delete /a @${ended}`), `${ended} is not among ${watch.seen.join(", ")}`);
      await watch.stop();
    },
  },
  {
    title: "a lease that nobody keeps alive ends by itself, not before its time",
    async body({ store, advance }) {
      const lease = await store.leases.grant(3_000);
      await write(store, "/a", "1", 0, lease);
      await advance(1_500);
      assert.ok((await store.get("/a")) !== undefined, "it ended before its time");
      await advance(1_700);
      await waitUntilGone(store, "/a", advance);
      assert.equal(await store.leases.keepAlive(lease), false);
    },
  },
  {
    title: "a lease that is kept alive stays",
    async body({ store, advance }) {
      const lease = await store.leases.grant(3_000);
      await write(store, "/a", "1", 0, lease);
      for (let i = 0; i < 3; i++) {
        await advance(1_500);
        assert.equal(await store.leases.keepAlive(lease), true);
      }
      assert.ok((await store.get("/a")) !== undefined);
    },
  },
  {
    title: "a key that has left its lease outlives it",
    async body({ store }) {
      const first = await store.leases.grant(60_000);
      const second = await store.leases.grant(60_000);
      assert.notEqual(first, second);
      const a = await write(store, "/a", "1", 0, first);
      const b = await write(store, "/b", "1", 0, first);
      await write(store, "/a", "2", a);
      await write(store, "/b", "2", b, second);
      await store.leases.revoke(first);
      assert.equal((await store.range({ prefix: "/", countOnly: true })).count, 2);
      await store.leases.revoke(second);
      assert.deepEqual(
        (await store.range({ prefix: "/" })).records.map(({ key }) => key),
        ["/a"],
      );
    },
  },
  {
    title: "a put with a lease that is gone is refused",
    async body({ store }) {
      const lease = await store.leases.grant(60_000);
      await store.leases.revoke(lease);
      await store.leases.revoke(lease);
      await rejectsWith(store.put({ key: "/a", value: bytes("1"), expected: 0, lease }), "lease-gone");
      assert.equal(await store.get("/a"), undefined);
      assert.equal(await store.leases.keepAlive(lease), false);
    },
  },
  {
    title: "a lease without keys ends without a revision",
    async body({ store }) {
      const before = await revisionOf(store);
      await store.leases.revoke(await store.leases.grant(60_000));
      assert.equal(await revisionOf(store), before);
    },
  },
];
