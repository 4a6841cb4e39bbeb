import assert from "node:assert/strict";
import { systemRuntime } from "@coxswain/runtime";
import { describe, it } from "vitest";
import type { KeyValueStore } from "../../contract/key-value-store.js";
import { createMemoryStore, type MemoryStore } from "../../memory/index.js";
import { createTestClock } from "../test-clock.js";
import { randomSteps } from "./operations.js";
import { runSteps } from "./run-steps.js";
import { shrink } from "./shrink.js";

/** Stores with one fault each: the model must find every one of them. */
const broken: readonly { readonly fault: string; readonly breakIt: (store: MemoryStore) => Partial<KeyValueStore> }[] =
  [
    {
      fault: "a put ignores what it expects",
      breakIt: (store) => ({
        put: async (write) => store.put({ ...write, expected: (await store.get(write.key))?.revision ?? 0 }),
      }),
    },
    {
      fault: "a conflict answers with nothing",
      breakIt: (store) => ({ put: async (write) => ({ ...(await store.put(write)), current: undefined }) as never }),
    },
    {
      fault: "a range forgets the revision",
      breakIt: (store) => ({ range: (query) => store.range({ ...query, at: 0 }) }),
    },
    {
      fault: "a range is one key short",
      breakIt: (store) => ({
        range: async (query) => ({
          ...(await store.range(query)),
          records: (await store.range(query)).records.slice(1),
        }),
      }),
    },
    {
      fault: "a range does not report that it was cut",
      breakIt: (store) => ({ range: async (query) => ({ ...(await store.range(query)), more: false }) }),
    },
    {
      fault: "a watch leaves out deletes",
      breakIt: (store) => ({
        watch: (query, onBatch, signal) =>
          store.watch(
            query,
            (events, at) =>
              onBatch(
                events.filter(({ type }) => type === "put"),
                at,
              ),
            signal,
          ),
      }),
    },
    {
      fault: "a watch delivers everything twice",
      breakIt: (store) => ({
        watch: (query, onBatch, signal) =>
          store.watch(query, (events, at) => onBatch([...events, ...events], at), signal),
      }),
    },
    {
      fault: "a watch starts one revision late",
      breakIt: (store) => ({
        watch: (query, onBatch, signal) =>
          store.watch(
            query,
            (events, at) =>
              onBatch(
                events.filter(({ revision }) => revision > query.from + 1),
                at,
              ),
            signal,
          ),
      }),
    },
    {
      fault: "history forgets the deletions",
      breakIt: (store) => ({ history: async (key) => (await store.history(key)).filter(({ type }) => type === "put") }),
    },
    { fault: "compaction does nothing", breakIt: () => ({ compact: async () => undefined }) },
    {
      fault: "a transaction is two revisions",
      breakIt: (store) => ({
        transaction: async (writes) => (
          await store.transaction(writes.slice(0, 1)), store.transaction(writes.slice(1))
        ),
      }),
    },
  ];

function opened(breakIt: (store: MemoryStore) => Partial<KeyValueStore>): KeyValueStore {
  const store = createMemoryStore({ runtime: systemRuntime({ clock: createTestClock() }) });
  const faults = breakIt(store);
  return new Proxy<KeyValueStore>(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(faults, name) ?? Reflect.get(target, name);
      return typeof value === "function" ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
}

describe("the model", () => {
  for (const { fault, breakIt } of broken) {
    it(`finds out when ${fault}`, async () => {
      const runs = Array.from({ length: 3 }, (_, seed) =>
        runSteps({ store: opened(breakIt) }, randomSteps(seed, 400)).then(
          () => "passed",
          () => "failed",
        ),
      );
      assert.ok((await Promise.all(runs)).includes("failed"));
    });
  }

  it("makes the same run of the same seed", () => {
    assert.deepEqual(randomSteps(7, 50), randomSteps(7, 50));
    assert.notDeepEqual(randomSteps(7, 50), randomSteps(8, 50));
  });

  it("shrinks a failing run to what it takes", async () => {
    const fails = async (list: readonly number[]): Promise<string | undefined> =>
      list.includes(3) && list.includes(40) ? "both" : undefined;
    assert.deepEqual(
      await shrink(
        Array.from({ length: 100 }, (_, i) => i),
        fails,
        300,
      ),
      [3, 40],
    );
  });
});
