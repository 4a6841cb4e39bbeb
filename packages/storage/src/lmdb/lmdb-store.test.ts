import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestClock, describeKeyValueStore } from "../conformance/index.js";
import { openLmdbStore } from "./index.js";

describeKeyValueStore("lmdb", {
  async open() {
    const clock = createTestClock();
    const directory = await mkdtemp(join(tmpdir(), "coxswain-lmdb-"));
    const open = () => openLmdbStore({ directory, clock, compaction: "off", reserveBytes: 0 });
    const store = await open();
    return {
      store,
      advance: (ms) => clock.advance(ms),
      async reopen() {
        await store.close();
        return open();
      },
      dispose: () => rm(directory, { recursive: true }),
    };
  },
});
