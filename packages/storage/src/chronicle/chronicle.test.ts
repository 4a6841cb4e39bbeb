import { describe, expect, it } from "vitest";
import type { ChronicleChange } from "./chronicle.js";
import { filesWith, record } from "./chronicle.test.support.js";
import { memoryFiles } from "./memory-files.js";

const full = (): never => {
  throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
};

describe("a disk that takes nothing for a while", () => {
  it("while the state is written down: history goes on when there is room again, with a gap", async () => {
    let isFull = false;
    const { chronicle, write, names, stop } = await record({
      files: filesWith((segment) => (isFull && segment > 1 ? full() : undefined)),
      limits: { bytes: 64 * 1024 },
    });
    isFull = true;
    for (let at = 0; at < 12; at++) {
      await write("web", 2000);
      await chronicle.flush().catch(() => {});
    }
    isFull = false;
    const last = await write("web", 2000);
    await chronicle.flush();
    await chronicle.flush();
    expect((await names()).at(-1)).toBe(`${last} web`);
    const { gaps, newest } = chronicle.reach();
    expect(gaps.length).toBeGreaterThan(0);
    expect(newest).toBe(last);
    const all = await names();
    for (let revision = 2; revision <= last; revision++)
      expect(all.includes(`${revision} web`) || gaps.some(({ after, to }) => revision > after && revision <= to)).toBe(
        true,
      );
    await stop();
  });

  it("a gap that it did not take either is still reported", async () => {
    let isFull = false;
    const { chronicle, write, stop } = await record({ files: filesWith(() => (isFull ? full() : undefined)) });
    const first = await write("web");
    await chronicle.flush();
    isFull = true;
    chronicle.lose(first + 100, "it is a test");
    await chronicle.settled();
    isFull = false;
    await write("web");
    await chronicle.flush();
    expect(chronicle.reach().gaps).toEqual([{ after: first, to: first + 100, why: "it is a test" }]);
    await stop();
  });

  it("what is lost while a gap is being written is reported, too", async () => {
    let slow: Promise<void> | undefined;
    const { chronicle, write, stop } = await record({ files: filesWith(() => slow) });
    const first = await write("web");
    await chronicle.flush();
    let go = (): void => {};
    slow = new Promise((resolve) => (go = resolve));
    chronicle.lose(first + 10, "it is a test");
    await new Promise(setImmediate);
    chronicle.lose(first + 20, "it is a test");
    go();
    slow = undefined;
    await chronicle.settled();
    await chronicle.flush();
    expect(Math.max(...chronicle.reach().gaps.map(({ to }) => to))).toBe(first + 20);
    await stop();
  });
});

describe("the bound of a chronicle", () => {
  it("holds although the state of one segment could not be written down", async () => {
    const bytes = 64 * 1024;
    let failing = 2;
    const { chronicle, write, stop } = await record({
      files: filesWith((segment) => {
        // The keyframe is the first that is appended to a segment.
        if (segment === 2 && failing-- > 0) full();
      }),
      limits: { bytes },
    });
    for (let at = 0; at < 120; at++) {
      await write("web", 2000);
      await chronicle.flush().catch(() => {});
    }
    expect(chronicle.reach().bytes).toBeLessThan(bytes * 1.25);
    await stop();
  });

  it("deletes nothing too early where the engine delivers changes without a time", async () => {
    const { chronicle, store, runtime, write, names, stop } = await record({
      limits: { bytes: 1 << 20, ageMs: 3_600_000 },
    });
    for (let at = 0; at < 20; at++) {
      const key = `/registry/pods/a/other-${at}`;
      await store.put({ key, value: Buffer.from("{}"), expected: 0 });
      await chronicle.flush();
    }
    expect((await names()).length).toBe(20);
    expect(chronicle.reach().oldest?.time).toBe(runtime.clock.now());
    expect((await chronicle.revisionAt(runtime.clock.now()))?.revision).toBe(store.revision);
    await runtime.clock.advance(7_200_000);
    await write("web");
    await chronicle.flush();
    await write("web");
    await chronicle.flush();
    expect((await names()).length).toBeLessThan(20);
    await stop();
  });
});

describe("reading a chronicle while it is written", () => {
  it("has each change once, also those that are written to a file meanwhile", async () => {
    const { chronicle, write, stop } = await record();
    for (let at = 0; at < 5; at++) await write("web", 20_000);
    const newest = await write("web");
    const found: ChronicleChange[] = [];
    for await (const portion of chronicle.changes({})) {
      found.push(...portion);
      await write("web");
      await chronicle.flush();
    }
    const revisions = found.map(({ revision }) => revision);
    expect(revisions).toEqual(Array.from({ length: 6 }, (_, at) => newest - at));
    await stop();
  });

  it("has all changes of a revision that takes several blocks, some of them written already", async () => {
    let appends = Number.NEGATIVE_INFINITY;
    let go = (): void => {};
    const going = new Promise<void>((resolve) => (go = resolve));
    let reach = (): void => {};
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const { chronicle, store, names, stop } = await record({
      files: filesWith(() => {
        if (++appends < 3) return undefined;
        reach();
        return going;
      }),
    });
    await chronicle.flush();
    appends = 0;
    const value = Buffer.alloc(30_000, "x");
    await store.transaction(
      ["a", "b", "c", "d"].map((name) => ({ op: "put", key: `/registry/pods/a/${name}`, value, expected: 0 })),
    );
    const flushed = chronicle.flush();
    await reached;
    expect((await names()).map((name) => name.split(" ")[1])).toEqual(["a", "b", "c", "d"]);
    go();
    await flushed;
    await stop();
  });

  it("ends where the bound has deleted meanwhile what comes next", async () => {
    const { chronicle, store, write, stop } = await record({
      files: filesWith(() => {}),
      limits: { bytes: 256 * 1024 },
    });
    const many = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at++) {
        await write("web", 2000);
        await chronicle.flush();
      }
    };
    await many(60);
    const { oldest } = chronicle.reach();
    const revisions: number[] = [];
    for await (const portion of chronicle.changes({})) {
      revisions.push(...portion.map(({ revision }) => revision));
      if (revisions.length === 1) await many(300);
    }
    expect(oldest?.revision).toBeLessThan(3);
    expect(revisions.length).toBeLessThan(60);
    await expect(chronicle.stateAt("/registry/pods/", 5)).rejects.toMatchObject({ reason: "expired" });
    expect((await chronicle.stateAt("/registry/pods/", store.revision)).length).toBe(1);
    await stop();
  });
});

describe("a file that was damaged on the disk", () => {
  it("is a gap of the changes that cannot be read; states are read around it", async () => {
    const files = memoryFiles();
    const { chronicle, write, names, stop } = await record({ files });
    const revisions: number[] = [];
    for (let at = 0; at < 6; at++) {
      revisions.push(await write(`web-${at}`, 40_000));
      await chronicle.flush();
    }
    const file = await files.open(1);
    // In the middle of what was written last but one.
    const bytes = await file.read(file.bytes - 30_000, 1);
    bytes[0]! ^= 255;
    expect((await names()).length).toBe(5);
    const { gaps } = chronicle.reach();
    expect(gaps).toEqual([{ after: revisions[4]! - 1, to: revisions[4], why: "the file is damaged" }]);
    expect((await chronicle.stateAt("/registry/pods/", revisions[3]!)).length).toBe(4);
    await expect(chronicle.stateAt("/registry/pods/", revisions[5]!)).rejects.toMatchObject({ reason: "expired" });
    await stop();
  });
});
