import assert from "node:assert/strict";
import { cp, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemRuntime } from "@coxswain/runtime";
import { silentLogger } from "@coxswain/runtime/log";
import { afterEach, beforeEach, describe, it } from "vitest";
import { text } from "../conformance/bytes.js";
import { createTestClock } from "../conformance/index.js";
import { write } from "../conformance/writing.js";
import type { KeyValueStore } from "../contract/key-value-store.js";
import { marksOf, olderFormats } from "./crash/older-format.js";
import { startProcess, temporaryDirectory } from "./crash/test-process.js";
import { Environment } from "./environment.js";
import { type Formats, openLmdbStore } from "./index.js";

/** As it was when nothing was older. */
const oldest: Formats = { current: 3, migrations: [] };
const fixture = (format: number): string => fileURLToPath(new URL(`../../fixtures/format-${format}`, import.meta.url));

function marksIn(directory: string): { marks: readonly number[]; format: number | undefined } {
  const env = new Environment(join(directory, "data.mdb"));
  const found = { marks: marksOf(env), format: env.format()?.format };
  void env.close();
  return found;
}

describe("the format of a store", () => {
  let directory: string;
  const lines: string[] = [];
  const open = (formats?: Formats): Promise<KeyValueStore> =>
    openLmdbStore({
      directory,
      runtime: systemRuntime({
        clock: createTestClock(),
        log: { ...silentLogger, warn: (line) => void lines.push(line) },
      }),
      compaction: "off",
      reserveBytes: 0,
      ...(formats && { seams: { formats } }),
    });
  beforeEach(async () => {
    directory = join(await temporaryDirectory(), "store");
    lines.length = 0;
  });
  afterEach(() => rm(join(directory, ".."), { recursive: true, force: true }));

  it("1 is still read: a directory written long ago opens, past included", async () => {
    await mkdir(directory);
    await cp(fixture(1), directory, { recursive: true });
    const store = await open();
    const { records, revision } = await store.range({ prefix: "" });
    assert.equal(revision, 305);
    assert.equal(records.length, 199);
    assert.equal(text((await store.get("/registry/configmaps/default/c007"))?.value), "second of c007");
    assert.equal(text((await store.get("/registry/configmaps/default/c007", { at: 250 }))?.value), "first of c007");
    assert.deepEqual(
      (await store.history("/registry/configmaps/default/gone")).map(({ type, note }) => [type, note?.user]),
      [
        ["delete", "bob"],
        ["put", "alice"],
      ],
    );
    assert.equal((await store.get("/registry/events/default/e"))?.lease, 1);
    assert.equal(await store.leases.keepAlive(1), true);
    assert.equal(await write(store, "/new", "1"), 306);
    await store.close();
    assert.equal(marksIn(directory).format, 3);
    assert.match(
      lines.join("\n"),
      /has format 1; it is copied to .*before-format-3.mdb.*format 2: a write-ahead log beside it.*format 3: checksums/s,
    );
  });

  const killed = [
    {
      format: 2,
      lines: /has format 2; it is copied to .*before-format-3.mdb.*format 3: checksums/s,
      kept: ["before-format-3.mdb", "before-format-3.wal"],
    },
    { format: 3, lines: /^6 commits were found in the write-ahead log: .* The last revision found is 27$/, kept: [] },
  ];
  for (const { format, lines: expected, kept } of killed)
    it(`${format} is still read: a directory whose last writes are in the write-ahead log only`, async () => {
      await mkdir(directory);
      await cp(fixture(format), directory, { recursive: true });
      const store = await open();
      const { records, revision } = await store.range({ prefix: "" });
      assert.deepEqual([revision, records.length], [27, 20]);
      assert.match(lines.join("\n"), expected);
      assert.deepEqual((await readdir(directory)).filter((name) => name.startsWith("before")).sort(), kept);
      assert.deepEqual(
        (await store.history("/registry/configmaps/default/c4")).map(({ value, note }) => [text(value), note?.user]),
        [
          ["second of c4", "bob"],
          ["first of c4", "alice"],
        ],
      );
      assert.deepEqual(
        (await store.history("/registry/configmaps/default/c19")).map(({ type, revision: at }) => [type, at]),
        [
          ["delete", 27],
          ["put", 21],
        ],
      );
      assert.equal((await store.get("/registry/events/default/e"))?.lease, 1);
      assert.equal(await store.leases.keepAlive(1), true);
      assert.equal(await write(store, "/new", "1"), 28);
      await store.close();
    });

  it("that is newer is refused by a sentence, and nothing is changed", async () => {
    await (await open(olderFormats(() => undefined))).close();
    await assert.rejects(
      open(),
      /has format 5, and this version knows formats up to 3. Use the version that wrote it, or a newer one/,
    );
    assert.equal(marksIn(directory).format, 5);
  });

  it("that is older is copied aside and brought up to date, step by step", async () => {
    const old = await open(oldest);
    const revision = await write(old, "/a", "1");
    await old.close();
    const store = await open(olderFormats(() => undefined));
    assert.equal((await store.get("/a"))?.revision, revision);
    await store.close();
    assert.deepEqual(marksIn(directory), { marks: [4, 5], format: 5 });
    assert.match(lines.join("\n"), /has format 3; it is copied to .*before-format-5.mdb.*format 4: .*format 5: /s);
    const copy = join(directory, "..", "copy");
    await mkdir(copy);
    await cp(join(directory, "before-format-5.mdb"), join(copy, "data.mdb"));
    assert.equal(marksIn(copy).format, 3);
    const before = await openLmdbStore({
      directory: copy,
      runtime: systemRuntime({ clock: createTestClock() }),
      reserveBytes: 0,
    });
    assert.equal((await before.get("/a"))?.revision, revision);
    await before.close();
  });

  it("without a way up is refused", async () => {
    await (await open(oldest)).close();
    await assert.rejects(open({ current: 4, migrations: [] }), /there is no way from its format 3 to 4/);
  });

  for (const moment of ["before 4", "inside 4", "before 5", "inside 5"]) {
    it(`loses nothing when the process is killed ${moment}`, async () => {
      const old = await open(oldest);
      for (let i = 0; i < 50; i++) await write(old, `/k${i}`, "v");
      await old.close();
      const process = await startProcess("migrate-process", [directory, moment]);
      await process.lines;
      assert.equal(process.child.signalCode, "SIGKILL", process.errors());
      const store = await open(olderFormats(() => undefined));
      assert.equal((await store.status()).keys, 50);
      await store.close();
      assert.deepEqual(marksIn(directory), { marks: [4, 5], format: 5 }, "each step ran once");
      assert.ok((await stat(join(directory, "before-format-5.mdb"))).size > 0);
    });
  }
});
