import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { silentLogger } from "@coxswain/runtime/log";
import { connectStore, type StoreAccess, type StoreClient } from "@coxswain/storage/socket";
import type { Engine } from "../engine/engine-flags.js";
import { openEtcd } from "../engine/open-store.js";
import { dataFile, storeDirectory, storeSocket } from "./store-paths.js";

export interface StoreTarget {
  readonly dataDir: string;
  readonly engine: Engine;
}

export interface Access {
  readonly store: StoreAccess;
  /** Of the server through which the store is reached; undefined when this process has opened it itself. */
  readonly pid?: number;
}

/** Of a command that opens a store itself: warnings go to stderr. */
export const storeRuntime: Runtime = systemRuntime({
  log: {
    ...silentLogger,
    warn: (message) => void process.stderr.write(`coxswain store: ${message}\n`),
  },
});

/** The server that runs on a data directory, if one does. */
export const findServer = ({ dataDir }: Pick<StoreTarget, "dataDir">): Promise<StoreClient | undefined> =>
  connectStore({ path: storeSocket(resolve(dataDir)), clock: systemClock });

/**
 * Through the server that has the store open; without one the store is opened here, and a server that starts meanwhile
 * fails with an error that names this process.
 */
export async function openAccess({ dataDir, engine }: StoreTarget): Promise<Access> {
  if (engine.name === "etcd") return { store: await openEtcd(engine, storeRuntime) };
  const server = await findServer({ dataDir });
  if (server) return { store: server, pid: server.pid };
  if (!existsSync(dataFile(dataDir)))
    throw new Error(
      `there is no store in ${resolve(dataDir)}, and no server runs on it. Name the server's data directory with --data-dir`,
    );
  const { openLmdbStore } = await import("@coxswain/storage/lmdb");
  return {
    store: await openLmdbStore({
      directory: storeDirectory(resolve(dataDir)),
      runtime: storeRuntime,
      compaction: "off",
    }),
  };
}

/** Opens, works, and closes whatever happens. */
export async function withAccess<T>(target: StoreTarget, work: (access: Access) => Promise<T>): Promise<T> {
  const access = await openAccess(target);
  try {
    return await work(access);
  } finally {
    await access.store.close();
  }
}
