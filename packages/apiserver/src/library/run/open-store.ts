import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Runtime } from "@coxswain/runtime";
import type { KeyValueStore } from "@coxswain/storage";
import type { ServerConfig } from "./complete.js";

/** Opens the store that was chosen; only that one is loaded. `onFailed`: the disk has failed for good. */
export async function openStore(
  { store }: ServerConfig,
  runtime: Runtime,
  onFailed: (error: Error) => void,
): Promise<KeyValueStore> {
  if (store.engine === "embedded") {
    const { openLmdbStore } = await import("@coxswain/storage/lmdb");
    return openLmdbStore({ directory: join(store.directory, "store"), runtime, onFailed });
  }
  const { openEtcdStore } = await import("@coxswain/storage/etcd");
  const { servers, files } = store;
  return openEtcdStore({
    endpoints: servers,
    prefix: "/registry/",
    runtime,
    ...(servers.some((server) => server.startsWith("https:")) && {
      tls: {
        ...(files.ca !== undefined && { ca: readFileSync(files.ca, "utf8") }),
        ...(files.certificate !== undefined && { cert: readFileSync(files.certificate, "utf8") }),
        ...(files.key !== undefined && { key: readFileSync(files.key, "utf8") }),
      },
    }),
  });
}
