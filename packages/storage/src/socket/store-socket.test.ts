import { existsSync, statSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { passOn } from "../contract/pass-on.js";
import { damagedValue } from "../contract/store-error.js";
import { createMemoryStore, type MemoryStore } from "../memory/index.js";
import { encodeFrame } from "./frame.js";
import { connectStore, type StoreAccess, type StoreClient, type StoreSocket, serveStore } from "./index.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (value: Uint8Array | undefined): string | undefined =>
  value === undefined ? undefined : new TextDecoder().decode(value);

describe("a store through its socket", () => {
  let directory: string;
  let path: string;
  let store: MemoryStore;
  let socket: StoreSocket | undefined;
  let client: StoreClient | undefined;

  const put = async (key: string, value: string, expected = 0): Promise<number> => {
    const result = await store.put({
      key,
      value: bytes(value),
      expected,
      note: { time: 1000, user: "alice", verb: "create" },
    });
    if (result.kind !== "written") throw new Error("a conflict");
    return result.revision;
  };
  const open = async (served: StoreAccess = store): Promise<StoreClient> => {
    socket = await serveStore({ store: served, path, pid: 4711 });
    client = await connectStore({ path, clock: systemClock });
    return client!;
  };

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "coxswain-socket-"));
    path = join(directory, "store.sock");
    store = createMemoryStore({ runtime: systemRuntime() });
  });
  afterEach(async () => {
    await client?.close();
    await socket?.stop();
    await store.close();
    await rm(directory, { recursive: true });
    client = socket = undefined;
  });

  it("carries which values are damaged", async () => {
    const revision = await put("/a", "1");
    const unreadable = damagedValue({ key: "/a", revision }, "its checksum differs");
    const record = { key: "/a", value: bytes(""), revision, createRevision: revision, version: 1, unreadable };
    const access = await open({
      ...passOn(store),
      range: async () => ({ records: [record], revision, more: false, count: 1 }),
      history: async () => [{ type: "put", revision, value: undefined, unreadable }],
    });
    const [ranged] = (await access.range({ prefix: "/" })).records;
    expect(ranged).toMatchObject({ key: "/a", revision, version: 1 });
    expect(ranged?.unreadable).toEqual(unreadable);
    expect((await access.history("/a"))[0]?.unreadable).toEqual(unreadable);
  });

  it("is for its user only, identifies its server, and is removed with it", async () => {
    const { pid } = await open();
    expect(pid).toBe(4711);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await socket!.stop();
    socket = undefined;
    expect(existsSync(path)).toBe(false);
    expect(await connectStore({ path, clock: systemClock })).toBeUndefined();
  });

  it("answers status, get, range, history and compact as the store does", async () => {
    const remote = await open();
    const first = await put("/registry/pods/a", "one");
    const second = await put("/registry/pods/a", "two", first);
    await put("/registry/pods/b", "three");
    expect(await remote.status()).toEqual(await store.status());
    expect(await remote.get("/registry/pods/a")).toMatchObject({
      key: "/registry/pods/a",
      revision: second,
      version: 2,
      createRevision: first,
    });
    expect(text((await remote.get("/registry/pods/a", { at: first }))?.value)).toBe("one");
    expect(await remote.get("/registry/pods/none")).toBeUndefined();
    const page = await remote.range({ prefix: "/registry/pods/", limit: 1 });
    expect({ ...page, records: page.records.map(({ value }) => text(value)) }).toEqual({
      records: ["two"],
      revision: 4,
      more: true,
      count: 2,
    });
    const history = await remote.history("/registry/pods/a");
    expect(
      history.map(({ type, revision, value, note }) => ({ type, revision, value: text(value), user: note?.user })),
    ).toEqual([
      { type: "put", revision: second, value: "two", user: "alice" },
      { type: "put", revision: first, value: "one", user: "alice" },
    ]);
    await remote.compact(second);
    expect((await store.status()).compactedRevision).toBe(second);
  });

  it("distinguishes a deletion from an empty value in a history", async () => {
    const remote = await open();
    const revision = await put("/a", "");
    await store.delete({ key: "/a", expected: revision });
    expect((await remote.history("/a")).map(({ type, value }) => [type, value?.length])).toEqual([
      ["delete", undefined],
      ["put", 0],
    ]);
  });

  it("passes failures on with their reason, and goes on", async () => {
    const remote = await open();
    await expect(remote.compact(99)).rejects.toMatchObject({ name: "StoreError", reason: "future" });
    expect((await remote.status()).engine).toBe("memory");
  });

  it("shows a snapshot as of one revision, as often as it is read, while others write", async () => {
    const remote = await open();
    for (let i = 0; i < 1000; i += 1) await put(`/registry/${String(i).padStart(4, "0")}`, "x".repeat(1000));
    const snapshot = await remote.snapshot();
    await put("/registry/later", "y");
    for (let round = 0; round < 2; round += 1) {
      const keys: string[] = [];
      for await (const records of snapshot.batches()) keys.push(...records.map(({ key }) => key));
      expect(keys.length).toBe(snapshot.keys);
      expect(keys).not.toContain("/registry/later");
    }
    await snapshot.close();
  });

  it("closes the snapshot of a client that has gone, also in the middle of reading", async () => {
    let closed: () => void = () => undefined;
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    const endless = async (): ReturnType<StoreAccess["snapshot"]> => ({
      revision: 1,
      keys: 1,
      async *batches() {
        for (;;) yield [{ key: "/a", value: new Uint8Array(100_000), revision: 1, createRevision: 1, version: 1 }];
      },
      close: async () => closed(),
    });
    const remote = await open({ ...accessTo(store), snapshot: endless });
    const snapshot = await remote.snapshot();
    for await (const records of snapshot.batches()) if (records.length > 0) break;
    await snapshot.close();
    await isClosed;
  });

  it("ends what was aborted with the reason of the signal", async () => {
    const remote = await open({ ...accessTo(store), get: () => new Promise(() => undefined) });
    const stop = new AbortController();
    const waiting = remote.get("/a", { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });

  it("works in a directory whose name is longer than a socket's address may be", async () => {
    const long = join(directory, "a".repeat(60), "b".repeat(60));
    await mkdir(long, { recursive: true });
    path = join(long, "store.sock");
    expect((await (await open()).status()).engine).toBe("memory");
  });

  it("takes the place of a socket that a killed server left", async () => {
    const left = createServer().listen(path);
    await new Promise((resolve) => left.once("listening", resolve));
    expect((await (await open()).status()).engine).toBe("memory");
    left.close();
  });

  it("refuses what makes no sense, with a sentence", async () => {
    await open();
    const answer = (frame: readonly Uint8Array[]): Promise<string> =>
      new Promise((resolve) => {
        let received = "";
        const raw = connect(path, () => frame.forEach((part) => raw.write(part)));
        raw.on("data", (chunk) => {
          received += String(chunk);
          if (received.includes("error")) raw.destroy();
        });
        raw.on("close", () => resolve(received));
      });
    expect(await answer(encodeFrame({ method: "drop" }))).toContain('the store\'s socket knows no \\"drop\\"');
    expect(await answer(encodeFrame(null))).toContain("is an object");
    expect(await answer([Buffer.alloc(8, 0xff)])).toContain("is more than the 1048576 that are taken here");
  });

  const impostors = [
    {
      name: "of another version",
      hello: { store: "coxswain", protocol: 99, pid: 12 },
      message: "the server that runs (pid 12) is of another version",
    },
    { name: "of something else", hello: { hello: "world" }, message: "is served by something else" },
    { name: "that sends nothing", hello: undefined, message: "does not answer" },
  ];
  for (const { name, hello, message } of impostors) {
    it(`does not work with a server ${name}`, async () => {
      const other = createServer((raw) => {
        raw.on("error", () => undefined);
        if (hello) encodeFrame(hello).forEach((part) => raw.write(part));
      }).listen(path);
      await new Promise((resolve) => other.once("listening", resolve));
      await expect(connectStore({ path, clock: systemClock, helloTimeoutMs: 50 })).rejects.toThrow(message);
      other.close();
    });
  }
});

const accessTo = (store: MemoryStore): StoreAccess => ({
  get: (key, options) => store.get(key, options),
  range: (query, signal) => store.range(query, signal),
  history: (key, options) => store.history(key, options),
  compact: (revision) => store.compact(revision),
  snapshot: () => store.snapshot(),
  status: () => store.status(),
  close: () => store.close(),
});
