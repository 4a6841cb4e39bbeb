import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { macrotask } from "@coxswain/runtime/event-loop";
import { createSeededRandom, randomInt } from "@coxswain/runtime/random";
import type { KeyValueStore } from "../../contract/key-value-store.js";
import { openLmdbStore } from "../index.js";
import { observe, recordsOf } from "./observe-store.js";
import type { Truth } from "./truth.js";

/**
 * Makes the directories that are damaged, and writes down what is in them: `closed`, whose process closed the store, and `killed`,
 * whose process is this one: it ends itself while the last writes are in the write-ahead log only.
 */
const [root = ""] = process.argv.slice(2);
const directory = join(root, "killed");
const random = createSeededRandom("a store to damage");
/** No flush by time: the process decides. */
const clock = { ...systemClock, setTimer: () => ({ cancel: () => undefined }) };
const open = (at: string): Promise<KeyValueStore> =>
  openLmdbStore({
    directory: at,
    runtime: systemRuntime({ clock }),
    compaction: "off",
    // As much as the write-ahead log asks for before it takes anything.
    reserveBytes: 640 * 1024,
    // Small: most of the damage is to hit something.
    walBytes: 256 * 1024,
    seams: { walFirst: true, changesPerCheckpoint: 60 },
  });
const keys = Array.from({ length: 120 }, (_, i) => `/registry/configmaps/default/object-${i}`);
const revisions = new Map<string, number>();

async function put(store: KeyValueStore, key: string, lease?: number): Promise<void> {
  // Some do not fit into a page.
  const size = randomInt(10, random) === 0 ? 4000 + randomInt(4000, random) : randomInt(700, random);
  const expected = revisions.get(key) ?? 0;
  const note = { time: 1_700_000_000_000 + expected, user: "alice", verb: "update" };
  const value = random.bytes(size);
  const result = await store.put({ key, value, expected, note, ...(lease !== undefined && { lease }) });
  if (result.kind === "written") revisions.set(key, result.revision);
}

async function someWrites(store: KeyValueStore, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const key = keys[randomInt(keys.length, random)]!;
    const expected = revisions.get(key) ?? 0;
    const kind = randomInt(8, random);
    if (kind === 0 && expected > 0) {
      await store.delete({ key, expected, note: { time: 1, user: "bob" } });
      revisions.set(key, 0);
    } else if (kind === 1) {
      const others = [...new Set([key, ...keys.slice(0, randomInt(4, random))])];
      const result = await store.transaction(
        others.map((one) => ({ op: "put", key: one, value: random.bytes(50), expected: revisions.get(one) ?? 0 })),
      );
      if (result.kind === "written") for (const one of others) revisions.set(one, result.revision);
    } else {
      await put(store, key);
    }
  }
}

/** Maintenance goes on while nobody writes. */
async function settle(): Promise<void> {
  const end = systemClock.monotonic() + 100;
  while (systemClock.monotonic() < end) await macrotask();
}

async function truthOf(store: KeyValueStore, from: number): Promise<Truth> {
  const observation = await observe(store, keys);
  const past: Record<number, Truth["past"][number]> = {};
  for (let at = from; at <= observation.revision; at++) past[at] = await recordsOf(store, at);
  return { keys, observation, past };
}

let store = await open(directory);
for (const key of keys) await put(store, key);
const lease = await store.leases.grant(1e9);
for (let i = 0; i < 3; i++) await put(store, keys[i]!, lease);
await someWrites(store, 200);
await store.compact((await store.status()).revision - 40);
await settle();
await someWrites(store, 60);
await store.close();
const closed = join(root, "closed");
cpSync(directory, closed, { recursive: true });
store = await open(closed);
const revision = await store.readRevision();
writeFileSync(join(root, "closed.json"), JSON.stringify(await truthOf(store, revision)));
await store.close();
store = await open(directory);
await settle();
// The first write is a transaction of the data file, from which on the log counts.
await someWrites(store, 1);
await store.leases.grant(2e9);
await someWrites(store, 14);
writeFileSync(join(root, "killed.json"), JSON.stringify(await truthOf(store, revision + 1)));
process.kill(process.pid, "SIGKILL");
