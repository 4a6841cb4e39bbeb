import assert from "node:assert/strict";
import { mkdir, open, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { afterEach, beforeEach, describe, it } from "vitest";
import { bytes, text } from "../conformance/bytes.js";
import { createTestClock } from "../conformance/index.js";
import { rejectsWith, remove, write } from "../conformance/writing.js";
import type { KeyValueStore } from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";
import { temporaryDirectory } from "../lmdb/crash/test-process.js";
import { openLmdbStore, restoreLmdbDirectory } from "../lmdb/index.js";
import { createMemoryStore } from "../memory/index.js";
import { openBackup, restoreInto, writeBackup } from "./index.js";

const linesOf = async (store: KeyValueStore, at = 0): Promise<string[]> =>
  (await store.range({ prefix: "", at })).records.map(
    ({ key, value, revision, createRevision, version }) =>
      `${key}=${text(value)} ${revision} ${createRevision} ${version}`,
  );

describe("a backup", () => {
  let root: string;
  let file: string;
  const openStore = (directory: string): Promise<KeyValueStore> =>
    openLmdbStore({
      directory,
      runtime: systemRuntime({ clock: createTestClock() }),
      compaction: "off",
      reserveBytes: 0,
    });
  beforeEach(async () => {
    root = await temporaryDirectory();
    file = join(root, "backup");
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it("taken under load restores to one exact revision", { timeout: 60_000 }, async () => {
    const store = await openStore(join(root, "store"));
    for (let i = 0; i < 40; i++)
      await store.transaction(
        Array.from({ length: 50 }, (_, j) => ({ op: "put", key: `/k/${i}-${j}`, value: bytes(`${i}`), expected: 0 })),
      );
    const loading = new AbortController();
    let written = 0;
    const load = Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let i = 0; !loading.signal.aborted; i++) {
          const key = `/k/${(i * 7 + writer) % 40}-${writer}`;
          const current = await store.get(key);
          await (i % 5 === 0 && current
            ? store.delete({ key, expected: current.revision })
            : store.put({ key, value: bytes(`${writer}-${i}`), expected: current?.revision ?? 0 }));
          written += 1;
        }
      }),
    );
    const progress: number[] = [];
    const done = await writeBackup(store, { file, onProgress: ({ keys }) => progress.push(keys) });
    const during = written;
    loading.abort();
    await load;
    assert.ok(during > 0, "nothing was written meanwhile");
    assert.equal(progress.at(-1), done.keys);
    const expected = await linesOf(store, done.revision);
    await restoreLmdbDirectory({ directory: join(root, "restored"), file });
    const restored = await openStore(join(root, "restored"));
    assert.equal((await restored.status()).revision, done.revision);
    assert.deepEqual(await linesOf(restored), expected);
    assert.equal(await write(restored, "/after", "1"), done.revision + 1);
    await rejectsWith(restored.get("/after", { at: done.revision - 1 }), "expired");
    await restored.close();
    await store.close();
  });

  describe("of a store whose history another client forgets", () => {
    /** Snapshots that expire after their first records, the given number of times. */
    function forgetful(store: KeyValueStore, times: number): Pick<KeyValueStore, "snapshot"> & { closed: number } {
      let left = times;
      const wrapped = {
        closed: 0,
        async snapshot() {
          const snapshot = await store.snapshot();
          const expires = left-- > 0;
          async function* batches() {
            yield* snapshot.batches();
            if (expires) throw new StoreError("expired", "compacted");
          }
          const close = async (): Promise<void> => {
            wrapped.closed += 1;
            await snapshot.close();
          };
          return { ...snapshot, batches, close };
        },
      };
      return wrapped;
    }

    it("begins anew, and is of the later revision", async () => {
      const store = createMemoryStore({ runtime: systemRuntime({ clock: createTestClock() }) });
      const revision = await write(store, "/a", "1");
      const source = forgetful(store, 2);
      assert.deepEqual(await writeBackup(source, { file }).then(({ keys, revision: of }) => ({ keys, of })), {
        keys: 1,
        of: revision,
      });
      assert.equal(source.closed, 3);
      await restoreLmdbDirectory({ directory: join(root, "restored"), file });
    });

    it("fails when that never ends, and leaves no file", async () => {
      const source = forgetful(createMemoryStore({ runtime: systemRuntime({ clock: createTestClock() }) }), 9);
      await rejectsWith(writeBackup(source, { file }), "expired");
      assert.equal(source.closed, 3);
      assert.deepEqual(await readdir(root), []);
    });
  });

  it("keeps leases, with their full time", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ runtime: systemRuntime({ clock }) });
    const lease = await store.leases.grant(5_000);
    await write(store, "/tied", "1", 0, lease);
    await write(store, "/free", "1");
    await writeBackup(store, { file });
    await restoreLmdbDirectory({ directory: join(root, "restored"), file });
    const later = createTestClock();
    const restored = await openLmdbStore({
      directory: join(root, "restored"),
      runtime: systemRuntime({ clock: later }),
      reserveBytes: 0,
    });
    assert.equal((await restored.get("/tied"))?.lease, lease);
    assert.notEqual(await restored.leases.grant(1_000), lease);
    await later.advance(6_000);
    await restored.leases.grant(60_000); // behind the end of the other: what came before is done
    assert.deepEqual(
      (await restored.range({ prefix: "" })).records.map(({ key }) => key),
      ["/free"],
    );
    await restored.close();
  });

  it("of an empty store is a backup too", async () => {
    await writeBackup(createMemoryStore({ runtime: systemRuntime({ clock: createTestClock() }), firstRevision: 17 }), {
      file,
    });
    await restoreLmdbDirectory({ directory: join(root, "restored"), file });
    const restored = await openStore(join(root, "restored"));
    assert.deepEqual([(await restored.status()).keys, await write(restored, "/a", "1")], [0, 18]);
    await restored.close();
  });

  it("is not restored over a store", async () => {
    await writeBackup(createMemoryStore({ runtime: systemRuntime({ clock: createTestClock() }) }), { file });
    await (await openStore(join(root, "store"))).close();
    await assert.rejects(
      restoreLmdbDirectory({ directory: join(root, "store"), file }),
      /is not empty.*Stop the server, move the old one away/,
    );
    await mkdir(join(root, "empty"));
    await restoreLmdbDirectory({ directory: join(root, "empty"), file });
  });

  it("that is aborted leaves nothing behind", async () => {
    const store = createMemoryStore({ runtime: systemRuntime({ clock: createTestClock() }) });
    for (let i = 0; i < 500; i++) await write(store, `/k${i}`, "v");
    const aborting = new AbortController();
    await assert.rejects(
      writeBackup(store, { file, signal: aborting.signal, onProgress: () => aborting.abort(new Error("enough")) }),
      /enough/,
    );
    assert.deepEqual(await readdir(root), []);
  });

  const damages = [
    {
      name: "cut off",
      damage: async (path: string) => truncate(path, (await readFile(path)).length - 20),
      message: /cut off|checksum/,
    },
    {
      name: "cut in half",
      damage: async (path: string) => truncate(path, Math.floor((await readFile(path)).length / 2)),
      message: /cut off/,
    },
    {
      name: "changed in one bit",
      damage: async (path: string) => {
        const handle = await open(path, "r+");
        await handle.write(Buffer.from([0x42]), 0, 1, 2000);
        await handle.close();
      },
      message: /damaged|cut off/,
    },
    {
      name: "longer than it was",
      damage: async (path: string) => writeFile(path, "more", { flag: "a" }),
      message: /checksum/,
    },
    {
      name: "something else",
      damage: async (path: string) => writeFile(path, "hello\nworld"),
      message: /not a backup/,
    },
    {
      name: "of a newer format",
      damage: async (path: string) =>
        writeFile(path, `${JSON.stringify({ backup: "coxswain", format: 9, revision: 1, keys: 0, leases: [] })}\n`),
      message: /format 9/,
    },
    { name: "empty", damage: async (path: string) => writeFile(path, ""), message: /not a backup/ },
  ];
  for (const { name, damage, message } of damages) {
    it(`that is ${name} is refused, and nothing is made of it`, async () => {
      const store = createMemoryStore({ runtime: systemRuntime({ clock: createTestClock() }) });
      for (let i = 0; i < 100; i++) await write(store, `/k${i}`, "value ".repeat(10));
      await writeBackup(store, { file });
      await damage(file);
      await assert.rejects(restoreLmdbDirectory({ directory: join(root, "restored"), file }), message);
      assert.deepEqual(await readdir(root), ["backup"]);
    });
  }

  it("can be read record by record", async () => {
    const store = createMemoryStore({ runtime: systemRuntime({ clock: createTestClock() }) });
    for (const key of ["/b", "/a", "/ä", "/\u{10000}"]) await write(store, key, key);
    const { revision } = await writeBackup(store, { file });
    const backup = await openBackup(file);
    const keys: string[] = [];
    for await (const record of backup.records()) keys.push(`${record.key}=${text(record.value)}`);
    assert.deepEqual([backup.header.revision, keys], [revision, ["/a=/a", "/b=/b", "/ä=/ä", "/\u{10000}=/\u{10000}"]]);
    await backup.close();
  });

  it("is restored into a store that is serving, by writes that watchers see", async () => {
    const store = createMemoryStore({ runtime: systemRuntime({ clock: createTestClock() }) });
    for (let i = 0; i < 250; i++) await write(store, `/k${i}`, "backed up");
    await writeBackup(store, { file });
    const changed = await write(store, "/k1", "changed", (await store.get("/k1"))!.revision);
    await remove(store, "/k2", (await store.get("/k2"))!.revision);
    const before = await write(store, "/new", "1");
    const seen: string[] = [];
    const watching = new AbortController();
    void store.watch(
      { prefix: "", from: before },
      (events) => seen.push(...events.map(({ type, key }) => `${type} ${key}`)),
      watching.signal,
    );
    const done = await restoreInto(store, { file });
    assert.deepEqual({ written: done.written, deleted: done.deleted }, { written: 2, deleted: 1 });
    assert.ok(done.revision > changed);
    assert.deepEqual(seen, ["put /k1", "put /k2", "delete /new"]);
    assert.equal(text((await store.get("/k1"))?.value), "backed up");
    assert.equal((await store.status()).keys, 250);
    watching.abort();
  });
});
