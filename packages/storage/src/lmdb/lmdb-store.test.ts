import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { createTestClock, describeKeyValueStore, type OpenedStore } from "../conformance/index.js";
import { type LmdbStoreOptions, openLmdbStore } from "./index.js";
import { quickDirectory } from "./test-directory.test.support.js";

async function openFresh(options: Pick<LmdbStoreOptions, "seams">): Promise<OpenedStore> {
  const clock = createTestClock();
  const directory = await mkdtemp(join(quickDirectory, "coxswain-lmdb-"));
  const open = (): ReturnType<typeof openLmdbStore> =>
    openLmdbStore({ directory, runtime: systemRuntime({ clock }), compaction: "off", reserveBytes: 0, ...options });
  const store = await open();
  return {
    store,
    advance: (ms) => clock.advance(ms),
    async reopen() {
      await store.close();
      return open();
    },
    async damage(value) {
      await store.close();
      const file = join(directory, "data.mdb");
      const bytes = await readFile(file);
      // Older copies of a page are left behind in the file.
      for (let at = bytes.indexOf(value); at >= 0; at = bytes.indexOf(value, at + 1)) bytes[at]! ^= 1;
      await writeFile(file, bytes);
      return open();
    },
    dispose: () => rm(directory, { recursive: true }),
  };
}

describeKeyValueStore("lmdb", { open: () => openFresh({}) });

/** From the second write on: the first one is what begins the log. */
describeKeyValueStore("lmdb through its write-ahead log", {
  open: () => openFresh({ seams: { walFirst: true } }),
  randomRuns: 4,
});

/** As if it were large and old: the index is written to disk all the time. */
describeKeyValueStore("lmdb with a checkpoint after every few writes", {
  open: () => openFresh({ seams: { changesPerCheckpoint: 3, walFirst: true } }),
  randomRuns: 4,
});
