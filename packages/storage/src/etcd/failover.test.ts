import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { systemRuntime } from "@coxswain/runtime";
import { afterEach, expect, it } from "vitest";
import { bytes, text } from "../conformance/bytes.js";
import { follow } from "../conformance/follow.js";
import { rejectsWith, write } from "../conformance/writing.js";
import type { KeyValueStore } from "../contract/key-value-store.js";
import { createEtcdClient } from "./etcd-client.js";
import { rpc } from "./rpc.js";
import { type EtcdCluster, type EtcdMember, startEtcdCluster } from "./testing/etcd-process.test.support.js";
import { describeOverEtcd } from "./testing/find-etcd.test.support.js";
import { openForTests } from "./testing/open-for-tests.test.support.js";

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Writers that go on through failures and remember what was acknowledged. */
function keepWriting(
  store: KeyValueStore,
  writers: number,
): { acknowledged: Map<string, number>; unclear: Set<string>; stop(): Promise<void> } {
  const acknowledged = new Map<string, number>();
  const unclear = new Set<string>();
  const going = new AbortController();
  const all = Array.from({ length: writers }, async (_, writer) => {
    for (let count = 0; !going.signal.aborted; count += 1) {
      const key = `/w/${writer}/${count}`;
      try {
        const result = await store.put({ key, value: bytes(key), expected: 0 });
        if (result.kind === "written") acknowledged.set(key, result.revision);
        else throw new Error(`${key} was there already`);
      } catch (error) {
        if (
          (error as { reason?: string }).reason !== "outcome-unknown" &&
          (error as { reason?: string }).reason !== "unavailable"
        )
          throw error;
        unclear.add(key);
        await sleep(10);
      }
    }
  });
  return {
    acknowledged,
    unclear,
    async stop() {
      going.abort();
      await Promise.all(all);
    },
  };
}

/** An address that leads to one etcd or another. */
async function startSwitch() {
  let target = new URL("http://127.0.0.1");
  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    const beyond = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [socket, beyond],
      [beyond, socket],
    ] as const) {
      connections.add(one);
      one.on("error", () => other.destroy()).once("close", () => void (connections.delete(one), other.destroy()));
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const lead = (endpoint?: string): void => {
    if (endpoint !== undefined) target = new URL(endpoint);
    for (const socket of connections) socket.destroy();
  };
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        lead();
      }),
  };
}

async function leaderOf(cluster: EtcdCluster): Promise<EtcdMember> {
  for (const member of cluster.members) {
    const client = createEtcdClient({ endpoints: [member.endpoint], runtime: systemRuntime() });
    const status = await client.call(rpc.status, {}, { kind: "read" });
    await client.close();
    if (status.header!.memberId === status.leader) return member;
  }
  throw new Error("no member leads");
}

describeOverEtcd("failover of etcd", ({ command }) => {
  const open: { stop?(): Promise<void>; close?(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0).reverse()) await (thing.close ?? thing.stop)!.call(thing);
  });
  const cluster = async (
    ...options: Parameters<typeof startEtcdCluster> extends [string, ...infer Rest] ? Rest : never
  ): Promise<EtcdCluster> => {
    const started = await startEtcdCluster(command, ...options);
    open.push(started);
    return started;
  };

  it("of three members the leader is killed: nothing acknowledged is lost, watchers see it all once and in order", {
    timeout: 90_000,
  }, async () => {
    const three = await cluster({ size: 3 });
    const store = await openForTests(three.endpoints);
    open.push(store);
    const from = await store.readRevision();
    const watch = follow(store, { prefix: "/w/", from });
    await watch.reach(from);
    const writing = keepWriting(store, 8);
    await sleep(700);
    const first = await leaderOf(three);
    await first.kill();
    const before = writing.acknowledged.size;
    await expect.poll(() => writing.acknowledged.size, { timeout: 30_000 }).toBeGreaterThan(before + 50);
    await first.restart();
    await sleep(500);
    await (await leaderOf(three)).kill();
    const between = writing.acknowledged.size;
    await expect.poll(() => writing.acknowledged.size, { timeout: 30_000 }).toBeGreaterThan(between + 50);
    await writing.stop();

    const { records, revision } = await store.range({ prefix: "/w/" });
    await watch.reach(revision);
    const there = new Map(records.map((record) => [record.key, record]));
    for (const [key, written] of writing.acknowledged)
      expect([key, there.get(key)?.revision, text(there.get(key)?.value)]).toEqual([key, written, key]);
    const extra = records.filter(({ key }) => !writing.acknowledged.has(key));
    for (const { key } of extra) expect(writing.unclear).toContain(key);
    const expected = [...records]
      .sort((a, b) => a.revision - b.revision)
      .map(({ key, revision }) => `put ${key} = ${key} @${revision}`);
    expect(watch.seen).toEqual(expected);
    await watch.stop();
  });

  it("a single etcd goes away and comes back: reads wait for it, the watch goes on without a gap", {
    timeout: 60_000,
  }, async () => {
    const one = await cluster();
    const store = await openForTests(one.endpoints);
    open.push(store);
    const from = await store.readRevision();
    const watch = follow(store, { prefix: "/", from });
    await watch.reach(from);
    const a = await write(store, "/a", "1");
    await one.members[0]!.kill();
    await sleep(100); // Until the connection is known to be gone; what was under way then would be of unknown outcome.
    const reading = store.get("/a");
    const other = await Promise.allSettled([
      store.put({ key: "/b", value: bytes("1"), expected: 0 }, AbortSignal.timeout(300)),
    ]);
    expect(other[0]).toMatchObject({ status: "rejected", reason: { name: "TimeoutError" } });
    await one.members[0]!.restart();
    expect((await reading)?.revision).toBe(a);
    const b = await write(store, "/c", "1");
    await watch.reach(b);
    expect(watch.seen).toEqual([`put /a = 1 @${a}`, `put /c = 1 @${b}`]);
    await watch.stop();
  });

  it("history that was compacted while the watch was away ends it with expired", { timeout: 60_000 }, async () => {
    const one = await cluster();
    const proxied = await openForTests(one.endpoints);
    open.push(proxied);
    const from = await proxied.readRevision();
    const watch = follow(proxied, { prefix: "/", from });
    await watch.reach(from);
    await one.members[0]!.kill();
    // While this store cannot reach it, another writes and compacts: here simply by being quicker after the restart.
    await one.members[0]!.restart();
    const quick = await openForTests(one.endpoints);
    open.push(quick);
    await write(quick, "/a", "1");
    const b = await write(quick, "/b", "1");
    await quick.compact(b);
    const outcome = await Promise.race([
      watch.ended.then(
        () => "ended",
        (error: { reason?: string }) => error.reason,
      ),
      watch.reach(b).then(() => "seen"),
    ]);
    // Either it was back in time and saw everything, or it got an error because it did not.
    expect(["seen", "expired"]).toContain(outcome);
    if (outcome === "seen") await watch.stop();
    const again = follow(proxied, { prefix: "/", from: b });
    const c = await write(proxied, "/c", "1");
    await again.reach(c);
    expect(again.seen).toEqual([`put /c = 1 @${c}`]);
    await again.stop();
  });

  it("an etcd that lost its data ends the watches with expired", { timeout: 60_000 }, async () => {
    const one = await cluster();
    const store = await openForTests(one.endpoints);
    open.push(store);
    const from = await store.readRevision();
    const watch = follow(store, { prefix: "/", from });
    await watch.reach(await write(store, "/a", "1"));
    await one.members[0]!.kill();
    const { rmSync } = await import("node:fs");
    rmSync(`${one.folder}/m0`, { recursive: true });
    await one.members[0]!.restart();
    await rejectsWith(watch.ended, "expired");
    const again = follow(store, { prefix: "/", from: 1 });
    const a = await write(store, "/again", "1");
    await again.reach(a);
    expect(again.seen).toEqual([`put /again = 1 @${a}`]);
    await again.stop();
  });

  it("another cluster behind the same address is not read or watched as the first one", {
    timeout: 60_000,
  }, async () => {
    const [first, second] = [await cluster(), await cluster()];
    const further = await openForTests(second.endpoints);
    open.push(further);
    for (let at = 0; at < 10; at++) await write(further, `/stranger/${at}`, "1");
    const address = await startSwitch();
    open.push(address);
    address.lead(first.endpoints[0]!);
    const store = await openForTests([address.endpoint]);
    open.push(store);
    const from = await store.readRevision();
    const watch = follow(store, { prefix: "/", from });
    const a = await write(store, "/a", "1");
    await watch.reach(a);
    address.lead(second.endpoints[0]!);
    await rejectsWith(watch.ended, "expired");
    await expect(store.readRevision()).rejects.toThrow("before: it is another one");
    await expect(store.get("/a")).rejects.toThrow("before: it is another one");
    expect(watch.seen).toEqual([`put /a = 1 @${a}`]);
    address.lead(first.endpoints[0]!);
    expect(text((await store.get("/a"))!.value)).toBe("1");
  });

  it("a full etcd refuses writes as full, reports it in its status, and still reads", { timeout: 60_000 }, async () => {
    const one = await cluster({ args: ["--quota-backend-bytes=2000000"] });
    const store = await openForTests(one.endpoints);
    open.push(store);
    const big = new Uint8Array(500_000);
    const fill = async (): Promise<void> => {
      for (let count = 0; count < 200; count += 1) await store.put({ key: `/big/${count}`, value: big, expected: 0 });
    };
    await rejectsWith(fill(), "full");
    expect((await store.status()).readOnly).toMatch(/no space/);
    expect((await store.get("/big/0"))?.value.length).toBe(500_000);
  });
});
