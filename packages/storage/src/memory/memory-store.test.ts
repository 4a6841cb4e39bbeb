import assert from "node:assert/strict";
import { systemRuntime } from "@coxswain/runtime";
import { describe, it } from "vitest";
import { bytes, text } from "../conformance/bytes.js";
import { createTestClock, describeKeyValueStore } from "../conformance/index.js";
import { write } from "../conformance/writing.js";
import { createMemoryStore } from "./index.js";

describeKeyValueStore("memory", {
  async open() {
    const clock = createTestClock();
    return { store: createMemoryStore({ runtime: systemRuntime({ clock }) }), advance: (ms) => clock.advance(ms) };
  },
});

describe("a memory store", () => {
  it("begins at the given revision", async () => {
    const store = createMemoryStore({ runtime: systemRuntime({ clock: createTestClock() }), firstRevision: 41 });
    assert.equal(await write(store, "/a", "1"), 42);
  });

  it("answers a write within the same iteration of the event loop", async () => {
    const store = createMemoryStore({ runtime: systemRuntime({ clock: createTestClock() }) });
    let turns = 0;
    setImmediate(() => (turns += 1));
    await store.put({ key: "/a", value: bytes("1"), expected: 0 });
    assert.equal(turns, 0);
  });

  it("forks into two that go their own ways, past included", async () => {
    const store = createMemoryStore({ runtime: systemRuntime({ clock: createTestClock() }) });
    const a = await write(store, "/a", "1");
    await write(store, "/a", "2", a);
    const fork = store.fork();
    await write(store, "/b", "here");
    await write(fork, "/b", "there");
    assert.equal(text((await store.get("/b"))?.value), "here");
    assert.equal(text((await fork.get("/b"))?.value), "there");
    assert.equal((await fork.history("/a")).length, 2);
  });

  it("logs every change after a revision, with its value and its note", async () => {
    const store = createMemoryStore({ runtime: systemRuntime({ clock: createTestClock() }) });
    const a = await write(store, "/a", "1");
    await store.put({ key: "/b", value: bytes("2"), expected: 0, note: { time: 7, user: "jane" } });
    await store.delete({ key: "/a", expected: a, note: { time: 8 } });
    const log = store.log(a).map(({ type, key, value, note }) => ({ type, key, value: text(value), note }));
    assert.deepEqual(log, [
      { type: "put", key: "/b", value: "2", note: { time: 7, user: "jane" } },
      { type: "delete", key: "/a", value: undefined, note: { time: 8 } },
    ]);
  });

  it("opens from a snapshot, leases with their full time", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ runtime: systemRuntime({ clock }) });
    const lease = await store.leases.grant(1000);
    await write(store, "/a", "1", 0, lease);
    const initial = await store.snapshot();
    const other = createTestClock();
    const restored = createMemoryStore({ runtime: systemRuntime({ clock: other }), initial });
    await clock.advance(2000);
    assert.equal(await store.get("/a"), undefined);
    assert.equal(text((await restored.get("/a"))?.value), "1");
    await other.advance(1001);
    assert.equal(await restored.get("/a"), undefined);
  });

  it("forks and snapshots 10,000 objects in well under 10 ms", async () => {
    const store = createMemoryStore({ runtime: systemRuntime({ clock: createTestClock() }) });
    await Promise.all(
      Array.from({ length: 10_000 }, (_, i) =>
        store.put({ key: `/registry/pods/default/${i}`, value: new Uint8Array(100), expected: 0 }),
      ),
    );
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const start = performance.now();
      store.fork();
      await store.snapshot();
      times.push(performance.now() - start);
    }
    assert.ok(Math.min(...times) < 10, `${times.join(", ")} ms`);
  });

  it("compacts by age when asked to, and only as long as there is something to do", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ runtime: systemRuntime({ clock }), compaction: { ageMs: 10_000 } });
    const revision = await write(store, "/a", "1");
    await clock.advance(5_000);
    assert.equal((await store.status()).compactedRevision < revision, true);
    await clock.advance(60_000);
    assert.equal((await store.status()).compactedRevision, revision);
  });

  it("compacts by size", async () => {
    const store = createMemoryStore({
      runtime: systemRuntime({ clock: createTestClock() }),
      compaction: { bytes: 10_000 },
    });
    for (let i = 0; i < 200; i++) await store.put({ key: `/k${i}`, value: new Uint8Array(200), expected: 0 });
    const { compactedRevision, revision } = await store.status();
    assert.ok(
      revision - compactedRevision < 60 && revision - compactedRevision > 10,
      `history of ${revision - compactedRevision} revisions`,
    );
  });
});
