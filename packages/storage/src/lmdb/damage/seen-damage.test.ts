import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { silentLogger } from "@coxswain/runtime/log";
import { afterEach, beforeEach, describe, it } from "vitest";
import { bytes, text } from "../../conformance/bytes.js";
import { createTestClock } from "../../conformance/index.js";
import { rejectsWith, write } from "../../conformance/writing.js";
import type { KeyValueStore } from "../../contract/key-value-store.js";
import { checkLmdbDirectory, openLmdbStore, type StoreDamage } from "../index.js";
import { quickDirectory } from "../test-directory.test.support.js";
import { pageBytes } from "../wal/wal-record.js";

const pageSize = 4096;
const valueOf = (i: number): string => `value of object ${i} `.repeat(5);

describe("damage of the embedded store", () => {
  let root: string;
  let directory: string;
  const lines: string[] = [];
  const open = (at = directory, changesPerCheckpoint = 4096): Promise<KeyValueStore> =>
    openLmdbStore({
      directory: at,
      runtime: systemRuntime({
        clock: createTestClock(),
        log: { ...silentLogger, warn: (line) => void lines.push(line) },
      }),
      compaction: "off",
      reserveBytes: 0,
      seams: { walFirst: true, changesPerCheckpoint },
    });
  const file = (name: "data.mdb" | "data.wal", at = directory): string => join(at, name);
  const change = (path: string, damage: (content: Buffer) => void): void => {
    const content = readFileSync(path);
    damage(content);
    writeFileSync(path, content);
  };
  /** All occurrences: older copies of a page are left behind in the file. */
  const flip = (path: string, found: string): void =>
    change(path, (content) => {
      for (let at = content.indexOf(found); at >= 0; at = content.indexOf(found, at + 1)) content[at]! ^= 1;
    });
  const damageOf = async (at = directory): Promise<readonly StoreDamage[]> => (await checkLmdbDirectory(at)).damage;
  /** 400 objects in a store that was closed. */
  async function fill(changesPerCheckpoint?: number): Promise<void> {
    const store = await open(directory, changesPerCheckpoint);
    for (let i = 0; i < 400; i++) await write(store, `/o/${i}`, valueOf(i));
    if (changesPerCheckpoint !== undefined) await store.defragment?.(); // which finishes a checkpoint of the index before
    await store.close();
  }
  /** The directory as a process leaves it that is ended after writing `/k0` to `/k4`, which are in the log only. */
  async function killed(): Promise<string> {
    const store = await open();
    await write(store, "/first", "1");
    for (let i = 0; i < 5; i++) await write(store, `/k${i}`, "v");
    const copy = join(root, "killed");
    await mkdir(copy);
    for (const name of ["data.mdb", "data.wal"] as const) await copyFile(file(name), file(name, copy));
    await store.close();
    lines.length = 0;
    return copy;
  }
  beforeEach(async () => {
    root = await mkdtemp(join(quickDirectory, "coxswain-damage-"));
    directory = join(root, "store");
    lines.length = 0;
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it("in a value is that object's error: the other 399 objects are served", async () => {
    await fill();
    flip(file("data.mdb"), valueOf(17));
    const store = await open();
    const { records } = await store.range({ prefix: "/o/" });
    assert.equal(records.length, 400);
    for (const { key, value, unreadable } of records)
      assert.equal(unreadable === undefined ? text(value) : key, key === "/o/17" ? key : valueOf(Number(key.slice(3))));
    await assert.rejects(
      store.get("/o/17"),
      /the value of \/o\/17 at revision 19 cannot be read: its checksum differs/,
    );
    await store.close();
    assert.deepEqual(await damageOf(), [
      { file: "data.mdb", what: "the value is not as it was written", key: "/o/17", revision: 19 },
    ]);
  });

  it("of one byte anywhere in a page of the data file loses no object without a word", async () => {
    await fill();
    const whole = readFileSync(file("data.mdb"));
    let seen = 0;
    // The heads of all pages, where a byte is worth the most.
    for (let at = 0; at < whole.length; at += pageSize) {
      change(file("data.mdb"), (content) => {
        content[at + 20]! ^= 0x40;
      });
      try {
        const store = await open();
        const { records } = await store.range({ prefix: "/o/" });
        assert.equal(records.length, 400, `page ${at / pageSize}`);
        for (const { key, value, unreadable } of records)
          if (unreadable === undefined) assert.equal(text(value), valueOf(Number(key.slice(3))));
        await store.close();
      } catch (err) {
        assert.match(String(err), /data.mdb/);
        seen += 1;
      }
      await rm(join(directory, "lock"), { force: true });
      writeFileSync(file("data.mdb"), whole);
    }
    assert.ok(seen > 5, `${seen} were refused`);
  });

  // Behind the key: revision, sub, create revision, version and lease.
  for (const [name, offset] of [
    ["revision", 0],
    ["create revision", 10],
    ["version", 16],
    ["lease", 22],
  ] as const)
    it(`in the ${name} of a key in a block of the index is refused: another state of the object is not served`, async () => {
      await fill(60);
      const key = Buffer.from("\u0005\u0000/o/17");
      let found = 0;
      change(file("data.mdb"), (content) => {
        for (let at = content.indexOf(key); at >= 0; at = content.indexOf(key, at + 1), found++)
          content[at + key.length + offset]! ^= 1;
      });
      assert.ok(found > 0, "no block of the index has the key");
      await assert.rejects(open(), /data.mdb is damaged: block \d+ of the index is not as it was written/);
      assert.match((await damageOf())[0]?.what ?? "", /block \d+ of the index is not as it was written/);
    });

  const facts = [
    { name: "the record of what it holds", found: '"checkpoint":' },
    { name: "the record of its format", found: '"format":' },
  ];
  for (const { name, found } of facts) {
    it(`in ${name} is refused, and nothing is migrated`, async () => {
      await fill();
      change(file("data.mdb"), (content) => {
        for (let at = content.indexOf(found); at >= 0; at = content.indexOf(found, at + 1))
          content[at + found.length]! ^= 1;
      });
      await assert.rejects(open(), /data.mdb cannot be opened: the record of .* is damaged/);
      assert.match((await damageOf())[0]?.what ?? "", /the record of .* is damaged/);
    });
  }

  it("that takes the newest transaction back is refused: the older state is not served", async () => {
    await fill();
    change(file("data.mdb"), (content) => {
      // The number of a transaction stands behind both tables and the last page.
      const newest = content.readUInt32LE(152) > content.readUInt32LE(pageSize + 152) ? 0 : pageSize;
      content.writeUInt32LE(content.readUInt32LE(newest + 152) - 4, newest + 152);
    });
    await assert.rejects(open(), /its meta pages are of transactions \d+ and \d+, which do not follow each other/);
  });

  it("that leaves the log without its file is refused: a store without objects is not served", async () => {
    await fill();
    await rm(file("data.mdb"));
    await assert.rejects(open(), /data.mdb is missing or empty, and the write-ahead log .* is beside it/);
    writeFileSync(file("data.mdb"), "");
    await rejectsWith(open(), "unreadable");
    assert.match((await damageOf())[0]?.what ?? "", /missing or empty/);
    await rm(file("data.wal"));
    const store = await open();
    assert.equal((await store.status()).keys, 0);
    await store.close();
  });

  it("that loses the write-ahead log is reported, with the revision that was reached", async () => {
    const ended = await killed();
    await rm(file("data.wal", ended));
    assert.match((await damageOf(ended))[0]?.what ?? "", /it is missing, and the store was not closed/);
    const store = await open(ended);
    assert.match(
      lines.join("\n"),
      /data.wal is missing, .* what was written after revision 2 is lost, if anything was/,
    );
    await store.close();
  });

  it("that loses the write-ahead log of a store that was closed is none", async () => {
    await fill();
    await rm(file("data.wal"));
    assert.deepEqual(await damageOf(), []);
    const store = await open();
    assert.equal((await store.status()).keys, 400);
    assert.deepEqual(lines, []);
    await store.close();
  });

  for (const length of [0, 100, 3 * pageBytes, 20 * pageBytes]) {
    it(`that cuts the write-ahead log to ${length} bytes is refused`, async () => {
      const ended = await killed();
      await truncate(file("data.wal", ended), length);
      await assert.rejects(
        open(ended),
        /data.wal is cut off: it has \d+ bytes of \d+, and what was written after revision 2/,
      );
      assert.deepEqual(
        (await damageOf(ended)).map(({ file: name, revision }) => [name, revision]),
        [["data.wal", 2]],
      );
    });
  }

  it("in the number of the last record of the log is refused: it looks as if one before it were missing", async () => {
    const ended = await killed();
    change(file("data.wal", ended), (content) => {
      content[4 * pageBytes + 19]! ^= 0x20;
    });
    await assert.rejects(open(ended), /record 5 of the write-ahead log is damaged, and record \d+ follows it/);
    assert.equal((await damageOf(ended))[0]?.file, "data.wal");
  });

  // The mark, the checksum, the length, the epoch, and the change itself.
  for (const at of [0, 5, 9, 13, 100]) {
    it(`in byte ${at} of the last record of the log is reported, and the last revision found is named`, async () => {
      const ended = await killed();
      change(file("data.wal", ended), (content) => {
        content[4 * pageBytes + at]! ^= 0x20;
      });
      assert.deepEqual(
        (await damageOf(ended)).map(({ file: name, revision }) => [name, revision]),
        [["data.wal", 6]],
      );
      const store = await open(ended);
      assert.match(
        lines.join("\n"),
        /4 commits were found .* The last revision found is 6\n.*record that is not whole, behind revision 6/,
      );
      assert.doesNotMatch(lines.join("\n"), /Nothing is lost/);
      assert.equal(await store.get("/k4"), undefined);
      await store.close();
    });
  }

  it("of the end of the log beyond the file is known by the revision that the start line names", async () => {
    const ended = await killed();
    change(file("data.wal", ended), (content) => void content.fill(0, 4 * pageBytes));
    const check = await checkLmdbDirectory(ended);
    assert.deepEqual(check.notes, ["the store was not closed: the last revision found is 6"]);
    const store = await open(ended);
    assert.match(lines.join("\n"), /The last revision found is 6$/);
    await store.close();
  });

  it("does not keep an object from being replaced, also when it is written over and over", async () => {
    await fill();
    flip(file("data.mdb"), valueOf(17));
    const store = await open();
    const revision = await write(store, "/o/17", "new", 19);
    await store.put({ key: "/o/18", value: bytes("new"), expected: 20 });
    await store.compact(await store.readRevision());
    assert.equal(text((await store.get("/o/17"))?.value), "new");
    assert.equal((await store.get("/o/17"))?.revision, revision);
    await store.close();
  });
});
