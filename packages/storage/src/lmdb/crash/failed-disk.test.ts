import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemRuntime } from "@coxswain/runtime";
import { silentLogger } from "@coxswain/runtime/log";
import { afterEach, beforeEach, describe, it } from "vitest";
import { bytes } from "../../conformance/bytes.js";
import { follow } from "../../conformance/follow.js";
import { createTestClock } from "../../conformance/index.js";
import { rejectsWith, remove, write } from "../../conformance/writing.js";
import type { KeyValueStore } from "../../contract/key-value-store.js";
import type { StoreError } from "../../contract/store-error.js";
import { type CommitSeam, openLmdbStore } from "../index.js";
import { startProcess, temporaryDirectory } from "./test-process.js";

const errorOf = (code: string, message: string): Error => Object.assign(new Error(message), { code });

type Failure = "no" | "full" | "full once" | "EIO";

/** A disk that a test can make fail: before a commit ("full"), or in its sync ("EIO"); and only in one of the files, if it is named. */
function breakableDisk(): { seam: CommitSeam; state: { fails: Failure; only: "log" | "file" | undefined } } {
  const state: { fails: Failure; only: "log" | "file" | undefined } = { fails: "no", only: undefined };
  const seam: CommitSeam = async (commit, where) => {
    const fails = where === (state.only ?? where) ? state.fails : "no";
    if (fails === "full once") state.fails = "no";
    if (fails === "full" || fails === "full once") throw errorOf("ENOSPC", "No space left on device");
    if (fails === "EIO") throw errorOf("EIO", "Input/output error");
    await commit();
  };
  return { seam, state };
}

/** How to run something with a small disk of its own mounted at a directory; undefined where that is forbidden. */
function smallDisk(directory: string, megabytes: number): readonly string[] | undefined {
  const mountAndRun = `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && exec "$@"`;
  for (const flags of ["-m", "-Urm"]) {
    try {
      execFileSync("unshare", [flags, "sh", "-c", mountAndRun, directory, "true"], { stdio: "ignore" });
      return ["unshare", flags, "sh", "-c", mountAndRun, directory];
    } catch {
      // Not allowed this way; perhaps the other.
    }
  }
  return undefined;
}

function compiler(): string | undefined {
  for (const name of ["cc", "gcc", "clang"]) {
    try {
      execFileSync(name, ["--version"], { stdio: "ignore" });
      return name;
    } catch {
      // Not there.
    }
  }
  return undefined;
}

describe("a disk that fails", () => {
  let root: string;
  let store: KeyValueStore;
  let clock = createTestClock();
  const { seam, state } = breakableDisk();
  const failed: StoreError[] = [];
  const lines: string[] = [];
  const open = (walFirst = false): Promise<KeyValueStore> =>
    openLmdbStore({
      directory: join(root, "store"),
      runtime: systemRuntime({ clock, log: { ...silentLogger, warn: (line) => void lines.push(line) } }),
      compaction: "off",
      reserveBytes: 0,
      onFailed: (error) => failed.push(error),
      seams: { commit: seam, walFirst },
    });
  /** With a write-ahead log that is in use: the first write begins it. */
  const openWithLog = async (): Promise<void> => {
    store = await open(true);
    await remove(store, "/first", await write(store, "/first", "1"));
  };
  beforeEach(async () => {
    root = await temporaryDirectory();
    clock = createTestClock();
    state.fails = "no";
    state.only = undefined;
    failed.length = 0;
    lines.length = 0;
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const places = [
    { where: "the file", start: async () => void (store = await open()) },
    { where: "the write-ahead log", start: openWithLog },
  ];
  for (const { where, start } of places) {
    describe(`under ${where}`, () => {
      beforeEach(start);
      afterEach(() => store.close());

      it("full: refuses the batch whole, and takes writes again when there is room", async () => {
        const a = await write(store, "/a", "1");
        const watch = follow(store, { prefix: "/", from: a });
        state.fails = "full";
        const batch = Array.from({ length: 5 }, (_, i) => store.put({ key: `/k${i}`, value: bytes("v"), expected: 0 }));
        for (const put of batch) await rejectsWith(put, "full");
        assert.equal((await store.status()).revision, a);
        assert.equal((await store.status()).readOnly, undefined);
        state.fails = "no";
        const b = await write(store, "/b", "1");
        assert.equal(b, a + 1);
        await watch.reach(b);
        assert.deepEqual(watch.seen, [`put /b = 1 @${b}`]);
        assert.deepEqual(failed, []);
        assert.match(lines.join("\n"), /the disk is full.*there is room on the disk again/s);
        await watch.stop();
      });

      it("full: a write that conflicted with one of the refused batch is planned again", async () => {
        state.fails = "full";
        const [first, second] = [
          store.put({ key: "/a", value: bytes("1"), expected: 0 }),
          store.put({ key: "/a", value: bytes("2"), expected: 0 }),
        ];
        await rejectsWith(first, "full");
        await rejectsWith(second, "full");
        assert.equal(await store.get("/a"), undefined);
      });

      it("full: a delete in the same batch is done without the rest", async () => {
        const a = await write(store, "/a", "1");
        // The batch of both is refused; with the reserve given up there is room for the delete alone.
        state.fails = "full once";
        const put = store.put({ key: "/b", value: bytes("1"), expected: 0 });
        const gone = remove(store, "/a", a);
        await rejectsWith(put, "full");
        assert.equal(await gone, a + 1);
        assert.equal((await store.status()).keys, 0);
      });

      it("EIO: its writers get outcome-unknown, later writes are refused, and reads and watches go on", async () => {
        const a = await write(store, "/a", "1");
        const watch = follow(store, { prefix: "/", from: a });
        await watch.reach(a);
        state.fails = "EIO";
        const puts = Array.from({ length: 3 }, (_, i) => store.put({ key: `/k${i}`, value: bytes("v"), expected: 0 }));
        await Promise.all(puts.map((put) => rejectsWith(put, "outcome-unknown")));
        state.fails = "no";
        await rejectsWith(store.put({ key: "/late", value: bytes("v"), expected: 0 }), "read-only");
        await rejectsWith(store.delete({ key: "/a", expected: a }), "read-only");
        await rejectsWith(store.compact(a), "read-only");
        assert.equal((await store.get("/a"))?.revision, a);
        assert.match((await store.status()).readOnly ?? "", /Check the disk, then restart/);
        assert.equal(failed.length, 1);
        assert.equal(failed[0]?.reason, "outcome-unknown");
        assert.deepEqual(watch.seen, []);
        await watch.stop();
        await store.close();
        store = await open();
        assert.equal((await store.status()).keys, 1);
      });
    });
  }

  describe("when what is in the write-ahead log goes into the file", () => {
    beforeEach(openWithLog);
    afterEach(() => store.close());
    const values = async (): Promise<string[]> =>
      (await store.range({ prefix: "/" })).records.map(({ key, value }) => `${key}=${Buffer.from(value).toString()}`);

    it("EIO: acknowledged writes stay, and later ones are refused", async () => {
      await write(store, "/a", "2", await write(store, "/a", "1"));
      await write(store, "/b", "1");
      Object.assign(state, { fails: "EIO", only: "file" });
      await clock.advance(2000);
      assert.deepEqual(
        failed.map(({ reason }) => reason),
        ["outcome-unknown"],
      );
      await rejectsWith(store.put({ key: "/late", value: bytes("v"), expected: 0 }), "read-only");
      assert.deepEqual(await values(), ["/a=2", "/b=1"]);
      assert.deepEqual(
        (await store.history("/a")).map(({ value }) => Buffer.from(value ?? []).toString()),
        ["2", "1"],
      );
      await store.close();
      state.fails = "no";
      store = await open();
      assert.deepEqual(await values(), ["/a=2", "/b=1"]);
      assert.match(lines.join("\n"), /commits were found in the write-ahead log/);
    });

    it("full: nothing that was answered is lost, and it is tried again", async () => {
      await write(store, "/a", "1");
      Object.assign(state, { fails: "full", only: "file" });
      await clock.advance(2000);
      assert.match(lines.join("\n"), /the disk is full/);
      assert.deepEqual(failed, []);
      await rejectsWith(store.delete({ key: "/a", expected: (await store.get("/a"))!.revision }), "full");
      assert.deepEqual(await values(), ["/a=1"]);
      state.fails = "no";
      await clock.advance(2000);
      state.fails = "EIO";
      await store.close();
      state.fails = "no";
      lines.length = 0;
      store = await open();
      assert.deepEqual(await values(), ["/a=1"]);
      assert.match(lines.join("\n"), /^0 commits were found in the write-ahead log/, "it was in the file already");
    });

    it("full: what cannot be moved when the store is closed is there at the next opening", async () => {
      await write(store, "/a", "1");
      Object.assign(state, { fails: "full", only: "file" });
      await store.close();
      state.fails = "no";
      store = await open();
      assert.deepEqual(await values(), ["/a=1"]);
    });
  });

  it("full for real: a small disk is filled, deleted from while full, and used again", {
    timeout: 120_000,
  }, async (context) => {
    const disk = join(root, "disk");
    await mkdir(disk);
    const wrap = smallDisk(disk, 24);
    if (wrap === undefined) {
      console.error("SKIPPED: no disk can be mounted here, so a full one is only tested by an injected ENOSPC");
      return context.skip("no private mount namespace");
    }
    const process = await startProcess("full-disk-process", [disk], { wrap });
    const lastLine = (await process.lines).at(-1);
    assert.ok(lastLine !== undefined, process.errors());
    const seen = JSON.parse(lastLine) as Record<string, unknown>;
    assert.ok((seen["written"] as number) > 500, lastLine);
    assert.ok((seen["refusedAsFull"] as number) > 0, lastLine);
    const { whileFull, reportedFull, reportedAgain, deleted, stillReadOnly, writtenAgain, lost, extra } = seen;
    assert.deepEqual(
      { whileFull, reportedFull, reportedAgain, deleted, stillReadOnly, writtenAgain, lost, extra },
      {
        whileFull: "full",
        reportedFull: true,
        reportedAgain: null,
        deleted: 300,
        stillReadOnly: null,
        writtenAgain: 400,
        lost: 0,
        extra: 0,
      },
      lastLine,
    );
    assert.equal(seen["read"], seen["written"]);
  });

  for (const reserveBytes of [0, 4 * 1024 * 1024])
    it(`full for real: the engine, whose error would damage the heap, never meets it (a reserve of ${reserveBytes} bytes)`, {
      timeout: 120_000,
    }, async (context) => {
      const disk = join(root, "disk");
      await mkdir(disk);
      const wrap = smallDisk(disk, 64);
      if (wrap === undefined) return context.skip("no private mount namespace");
      const process = await startProcess("filled-disk-process", [disk, String(reserveBytes)], { wrap });
      const lastLine = (await process.lines).at(-1);
      assert.equal(process.errors(), "");
      assert.deepEqual(JSON.parse(lastLine ?? ""), {
        before: ["written"],
        ...Object.fromEntries([0, 1, 2, 3, 4].map((round) => [`during ${round}`, ["full"]])),
        "reported as full": true,
        "opened again": "full",
        "with room": ["written"],
        keys: 16,
        reported: 1,
      });
    });

  it("EIO for real: a sync that fails acknowledges nothing", { timeout: 60_000 }, async (context) => {
    const cc = compiler();
    if (cc === undefined) {
      console.error("SKIPPED: there is no C compiler, so a failed sync is only tested by an injected EIO");
      return context.skip("no C compiler");
    }
    const library = join(root, "failing-sync.so");
    execFileSync(cc, ["-shared", "-fPIC", "-o", library, fileURLToPath(new URL("failing-sync.c", import.meta.url))]);
    const trigger = join(root, "trigger");
    const process = await startProcess("failed-sync-process", [join(root, "other"), trigger], {
      env: { LD_PRELOAD: library, FAIL_SYNC_WHEN: trigger },
    });
    const lastLine = (await process.lines).at(-1);
    assert.ok(lastLine !== undefined, process.errors());
    assert.deepEqual(JSON.parse(lastLine), {
      before: ["written"],
      during: ["outcome-unknown"],
      after: "read-only",
      kept: 20,
      shown: 0,
      readOnly: true,
      events: [],
      failures: ["outcome-unknown"],
    });
  });

  it("read-only: is refused at the opening by a sentence", async (context) => {
    const disk = join(root, "disk");
    await mkdir(disk);
    const wrap = smallDisk(disk, 4);
    if (wrap === undefined) return context.skip("no private mount namespace");
    const readOnly = [...wrap, "sh", "-c", 'mount -o remount,ro "$0" && exec "$@"', disk];
    const process = await startProcess("open-process", [join(disk, "store")], { wrap: readOnly });
    await process.lines;
    assert.match(process.errors(), /the store needs to write in .*, and may not \(EROFS\)/);
  });
});
