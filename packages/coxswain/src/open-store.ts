import { join } from "node:path";
import { systemClock } from "@coxswain/apimachinery/clock";
import { systemRandom } from "@coxswain/apimachinery/random";
import type { Logger } from "@coxswain/component/log";
import type { KeyValueStore } from "@coxswain/storage";
import type { Engine, EtcdEngine } from "./engine-flags.js";
import { rootedStore } from "./store/rooted-store.js";

/** Where the server's keys begin, whatever etcd's prefix is. */
const registryRoot = "/registry/";

export interface OpenedStore {
  readonly store: KeyValueStore;
  /** Rejects when the disk has failed: reads go on, nothing is written any more. */
  readonly failed: Promise<never>;
}

/** Opens the engine that was chosen; only that one is loaded. */
export async function openStore(engine: Engine, dataDir: string, log: Pick<Logger, "warn">): Promise<OpenedStore> {
  let fail: (err: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => {}); // told to whoever asks
  switch (engine.name) {
    case "memory": {
      const { createMemoryStore } = await import("@coxswain/storage/memory");
      return { store: createMemoryStore({ clock: systemClock, compaction: {} }), failed };
    }
    case "lmdb": {
      const { openLmdbStore } = await import("@coxswain/storage/lmdb");
      const store = await openLmdbStore({ directory: join(dataDir, "store"), clock: systemClock, log: (message) => log.warn(message), onFailed: fail });
      return { store, failed };
    }
    case "etcd":
      return { store: await openEtcd(engine, log), failed };
  }
}

/**
 * Seen as `/registry/` whatever the prefix is.
 * @param confine shows nothing but what is below the prefix, also to who asks for all: an etcd may serve others too. The server
 *   never asks for more, and spares itself the work.
 */
export async function openEtcd({ servers, prefix, tls, user, compactionIntervalMs }: EtcdEngine, log: Pick<Logger, "warn">, { confine = false }: { confine?: boolean } = {}): Promise<KeyValueStore> {
  const { openEtcdStore } = await import("@coxswain/storage/etcd");
  const root = prefix === "/" ? "/" : `${prefix}/`;
  const secure = servers.some((server) => server.startsWith("https:"));
  const store = await openEtcdStore({ endpoints: servers, ...(secure && { tls }), ...(user && { user }), prefix: root, clock: systemClock, random: systemRandom, compactionIntervalMs, log });
  return root === registryRoot && !confine ? store : rootedStore(store, { root, seenAs: registryRoot });
}
