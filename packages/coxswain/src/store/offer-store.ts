import { mkdir } from "node:fs/promises";
import { systemClock } from "@coxswain/runtime/clock";
import type { Logger } from "@coxswain/runtime/log";
import { connectStore, type StoreAccess, type StoreSocket, serveStore } from "@coxswain/storage/socket";
import { storeDirectory, storeSocket } from "./store-paths.js";

/** Lets `coxswain store` work on the server's store. A server without it still serves, so a failure is only logged. */
export async function offerStore(
  store: StoreAccess,
  dataDir: string,
  log: Pick<Logger, "warn">,
): Promise<StoreSocket | undefined> {
  const path = storeSocket(dataDir);
  try {
    await mkdir(storeDirectory(dataDir), { recursive: true, mode: 0o700 });
    // The embedded store is locked; the others may be served twice from one directory, and the first keeps the socket.
    const other = await connectStore({ path, clock: systemClock });
    if (other) {
      await other.close();
      log.warn(
        `"coxswain store" reaches the server with pid ${other.pid}, not this one: both have the data directory ${dataDir}`,
      );
      return undefined;
    }
    return await serveStore({ store, path });
  } catch (err) {
    log.warn('"coxswain store" will not reach this server', { error: err });
    return undefined;
  }
}
