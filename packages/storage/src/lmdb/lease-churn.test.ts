import assert from "node:assert/strict";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { afterEach, beforeEach, describe, it } from "vitest";
import { createTestClock } from "../conformance/index.js";
import type { KeyValueStore, LeaseId } from "../contract/key-value-store.js";
import { temporaryDirectory } from "./crash/test-process.js";
import { openLmdbStore } from "./index.js";

const nodes = 100;
const stepMs = 10_000;

describe("the churn of a cluster", () => {
  let directory: string;
  let store: KeyValueStore;
  const clock = createTestClock();
  beforeEach(async () => {
    directory = await temporaryDirectory();
    store = await openLmdbStore({ directory, runtime: systemRuntime({ clock }), reserveBytes: 0 });
  });
  afterEach(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** Every node renews its lease, and some events are written that go away after an hour of their own. */
  async function tick(revisions: Map<string, number>, step: number, lease: LeaseId): Promise<void> {
    const renewals = Array.from({ length: nodes }, async (_, node) => {
      const key = `/registry/leases/kube-node-lease/node-${node}`;
      const result = await store.put({ key, value: new Uint8Array(500).fill(step), expected: revisions.get(key) ?? 0 });
      assert.equal(result.kind, "written");
      if (result.kind === "written") revisions.set(key, result.revision);
    });
    const events = Array.from({ length: 5 }, (_, i) =>
      store.put({ key: `/registry/events/default/e${step}-${i}`, value: new Uint8Array(800), expected: 0, lease }),
    );
    await Promise.all([...renewals, ...events]);
    await clock.advance(stepMs);
  }

  it("for an hour leaves the file at its steady size", { timeout: 120_000 }, async () => {
    const revisions = new Map<string, number>();
    const sizeNow = async (): Promise<number> => (await stat(join(directory, "data.mdb"))).size;
    let lease: LeaseId = 0;
    let steady = 0;
    const steps = 3_600_000 / stepMs;
    for (let step = 0; step < steps; step++) {
      if (step % 6 === 0) lease = await store.leases.grant(600_000);
      await tick(revisions, step, lease);
      // Events live for ten minutes and history for five: after twenty all has found its size.
      if (step === steps / 3) steady = await sizeNow();
    }
    const size = await sizeNow();
    assert.ok(size <= steady * 1.1, `the file has ${size} bytes after an hour, ${steady} after twenty minutes`);
    const { keys, revision, compactedRevision } = await store.status();
    assert.ok(keys < nodes + 5 * 70, `${keys} keys`);
    assert.ok(revision - compactedRevision < (nodes + 5) * 40, `history of ${revision - compactedRevision} revisions`);
  });

  it("by a few large objects stays within the bytes that history may have", { timeout: 60_000 }, async () => {
    await store.close();
    store = await openLmdbStore({
      directory,
      runtime: systemRuntime({ clock }),
      reserveBytes: 0,
      compaction: { bytes: 4_000_000 },
    });
    let revision = 0;
    for (let i = 0; i < 1500; i++) {
      const result = await store.put({
        key: "/registry/configmaps/default/large",
        value: new Uint8Array(50_000).fill(i),
        expected: revision,
      });
      revision = result.kind === "written" ? result.revision : 0;
    }
    await clock.advance(1000);
    const { size } = await stat(join(directory, "data.mdb"));
    assert.ok(size < 30_000_000, `75 MB were written, at most 4 MB are kept, and the file has ${size} bytes`);
  });
});
