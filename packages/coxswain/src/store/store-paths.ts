import { join } from "node:path";

/** The folder of the embedded store; the socket is in it whatever the engine is. */
export const storeDirectory = (dataDir: string): string => join(dataDir, "store");
export const storeSocket = (dataDir: string): string => join(storeDirectory(dataDir), "store.sock");
export const dataFile = (dataDir: string): string => join(storeDirectory(dataDir), "data.mdb");
