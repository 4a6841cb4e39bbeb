import { systemClock } from "@coxswain/apimachinery/clock";
import type { Logger } from "@coxswain/component/log";
import type { KeyValueStore } from "@coxswain/storage";
import { createMemoryStore } from "@coxswain/storage/memory";

export type StorageChoice = "memory";

export function openStore(choice: StorageChoice, directory: string, log: Logger): Promise<KeyValueStore> {
  log.debug("opening the store", { engine: choice, directory });
  return Promise.resolve(createMemoryStore({ clock: systemClock, compaction: {} }));
}
