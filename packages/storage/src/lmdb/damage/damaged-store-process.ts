import { createInterface } from "node:readline";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { silentLogger } from "@coxswain/runtime/log";
import type { KeyValueStore } from "../../contract/key-value-store.js";
import { isStoreError } from "../../contract/store-error.js";
import { openLmdbStore } from "../index.js";
import { isSeenError, observe, recordsOf, type Seen, type SeenError } from "./observe-store.js";
import type { Outcome } from "./truth.js";

/** Opens each directory that a line of its input names, and writes what it saw there as a line. It may end by a signal. */
const clock = { ...systemClock, setTimer: () => ({ cancel: () => undefined }) };

async function look(directory: string, keys: readonly string[]): Promise<Outcome> {
  const lines: string[] = [];
  const open = (): Promise<KeyValueStore> =>
    openLmdbStore({
      directory,
      runtime: systemRuntime({ clock, log: { ...silentLogger, warn: (line) => void lines.push(line) } }),
      compaction: "off",
      reserveBytes: 640 * 1024,
      walBytes: 256 * 1024,
      seams: { walFirst: true, changesPerCheckpoint: 60 },
    });
  let store: KeyValueStore;
  try {
    store = await open();
  } catch (err) {
    return { kind: "refused", message: messageOf(err) };
  }
  const observation = await observe(store, keys);
  return { kind: "served", lines, observation, afterwards: await writeAndReopen(store, open) };
}

/** Writes make use of free pages, and compaction of the log: what was harmless may not stay so. */
async function writeAndReopen(
  store: KeyValueStore,
  open: () => Promise<KeyValueStore>,
): Promise<Record<string, Seen> | SeenError> {
  try {
    for (let i = 0; i < 30; i++)
      await store.put({ key: `/registry/new/${i}`, value: new Uint8Array(100 * i), expected: 0 });
    await store.compact(await store.readRevision());
    await new Promise<void>((resolve) => void systemClock.setTimer(20, resolve));
    await store.close();
    const again = await open();
    const records = await recordsOf(again);
    await again.close();
    return isSeenError(records)
      ? records
      : Object.fromEntries(Object.entries(records).filter(([key]) => !key.startsWith("/registry/new/")));
  } catch (err) {
    await store.close().catch(() => undefined);
    return { error: messageOf(err) };
  }
}

function messageOf(err: unknown): string {
  if (!isStoreError(err)) throw err;
  return err.message;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { directory, keys } = JSON.parse(line) as { directory: string; keys: readonly string[] };
  // What is no error of a store ends the process, and is a defect.
  process.stdout.write(`${JSON.stringify(await look(directory, keys))}\n`);
}
