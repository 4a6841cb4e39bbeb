import { join } from "node:path";
import { systemClock } from "@coxswain/apimachinery/clock";
import type { Logger } from "@coxswain/component/log";
import type { KeyValueStore } from "@coxswain/storage";

export const storageChoices = ["lmdb", "memory"] as const;
export type StorageChoice = (typeof storageChoices)[number];

export interface OpenedStore {
  readonly store: KeyValueStore;
  /** Rejects when the disk has failed: reads go on, nothing is written any more. */
  readonly failed: Promise<never>;
}

/** Opens the engine that was chosen; only that one is loaded. */
export async function openStore(choice: StorageChoice, dataDir: string, log: Logger): Promise<OpenedStore> {
  let fail: (err: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => {}); // told to whoever asks
  switch (choice) {
    case "memory": {
      const { createMemoryStore } = await import("@coxswain/storage/memory");
      return { store: createMemoryStore({ clock: systemClock, compaction: {} }), failed };
    }
    case "lmdb": {
      const { openLmdbStore } = await import("@coxswain/storage/lmdb");
      const store = await openLmdbStore({ directory: join(dataDir, "store"), clock: systemClock, log: (message) => log.warn(message), onFailed: fail });
      return { store, failed };
    }
  }
}
