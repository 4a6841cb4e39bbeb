import assert from "node:assert/strict";
import type { KeyValueStore, UnreadableValue } from "../contract/key-value-store.js";
import { isStoreError } from "../contract/store-error.js";
import { bytes, text } from "./bytes.js";
import { follow } from "./follow.js";
import type { Check } from "./store-under-test.js";
import { write } from "./writing.js";

const damaged = "this value will be damaged on the disk";
const isDamage = (revision: number) => (err: unknown) =>
  isStoreError(err) && err.reason === "unreadable" && err.message.includes(`of /b at revision ${revision} `);

/** Damage is a fact about a record, whose text names the key and the revision. */
const namedRevision = (unreadable: UnreadableValue | undefined): number | undefined =>
  unreadable && Number(/ of \/b at revision (\d+) /.exec(unreadable.message)?.[1]);

/** Three keys, of which the second is damaged. */
async function damageOne(
  store: KeyValueStore,
  damage: (value: Uint8Array) => Promise<KeyValueStore>,
): Promise<{ again: KeyValueStore; from: number; revision: number }> {
  const from = await store.readRevision();
  await write(store, "/a", "1");
  const revision = await write(store, "/b", damaged);
  await write(store, "/c", "1");
  return { again: await damage(bytes(damaged)), from, revision };
}

export const damageChecks: readonly Check[] = [
  {
    title: "a get of a damaged value rejects and names the key and the revision",
    needsDamage: true,
    async body({ store, damage }) {
      const { again, revision } = await damageOne(store, damage!);
      await assert.rejects(again.get("/b"), isDamage(revision));
      await assert.rejects(again.get("/b", { at: revision }), isDamage(revision));
      assert.equal(text((await again.get("/a"))?.value), "1");
      await again.close();
    },
  },
  {
    title: "a range marks a damaged value and hides no other",
    needsDamage: true,
    async body({ store, damage }) {
      const { again, revision } = await damageOne(store, damage!);
      const { records, count } = await again.range({ prefix: "/" });
      assert.deepEqual(
        records.map(({ key, value, unreadable }) => [key, text(value), namedRevision(unreadable)]),
        [
          ["/a", "1", undefined],
          ["/b", "", revision],
          ["/c", "1", undefined],
        ],
      );
      assert.equal(count, 3);
      assert.equal((await again.range({ prefix: "/", keysOnly: true })).records[1]?.unreadable, undefined);
      await again.close();
    },
  },
  {
    title: "a watch and a history mark a damaged value and go on",
    needsDamage: true,
    async body({ store, damage }) {
      const { again, from, revision } = await damageOne(store, damage!);
      const found: [string, number | undefined][] = [];
      const stop = new AbortController();
      await again.watch(
        { prefix: "/", from },
        (events, progress) => {
          for (const { key, record } of events) found.push([key, namedRevision(record?.unreadable)]);
          if (progress >= revision + 1) stop.abort();
        },
        stop.signal,
      );
      assert.deepEqual(found, [
        ["/a", undefined],
        ["/b", revision],
        ["/c", undefined],
      ]);
      const [entry] = await again.history("/b");
      assert.deepEqual(
        [entry?.revision, entry?.value, namedRevision(entry?.unreadable)],
        [revision, undefined, revision],
      );
      await again.close();
    },
  },
  {
    title: "a damaged value can be replaced, and what it conflicts with is marked",
    needsDamage: true,
    async body({ store, damage }) {
      const { again, revision } = await damageOne(store, damage!);
      const lost = await again.put({ key: "/b", value: bytes("2"), expected: 0 });
      assert.equal(lost.kind === "conflict" ? namedRevision(lost.current?.unreadable) : undefined, revision);
      const watch = follow(again, { prefix: "/b", from: await again.readRevision() });
      const next = await write(again, "/b", "2", revision);
      await watch.reach(next);
      await watch.stop();
      assert.equal(text((await again.get("/b"))?.value), "2");
      await again.close();
    },
  },
  {
    title: "a damaged value can be deleted, and what was deleted is marked",
    needsDamage: true,
    async body({ store, damage }) {
      const { again, revision } = await damageOne(store, damage!);
      const result = await again.delete({ key: "/b", expected: revision });
      assert.equal(result.kind === "deleted" ? namedRevision(result.previous.unreadable) : undefined, revision);
      assert.equal(await again.get("/b"), undefined);
      assert.equal((await again.range({ prefix: "/" })).count, 2);
      await again.close();
    },
  },
  {
    title: "a snapshot with a damaged value is refused and names it",
    needsDamage: true,
    async body({ store, damage }) {
      const { again, revision } = await damageOne(store, damage!);
      const snapshot = await again.snapshot();
      await assert.rejects(async () => {
        for await (const _records of snapshot.batches());
      }, isDamage(revision));
      await snapshot.close();
      await again.close();
    },
  },
];
