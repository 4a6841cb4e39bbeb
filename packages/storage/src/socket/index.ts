export { connectStore, type StoreClient } from "./connect-store.js";
export type { ConnectStoreOptions } from "./connection.js";
export { serveStore, type ServeStoreOptions, type StoreSocket } from "./serve-store.js";
export type { StoreAccess } from "./protocol.js";
export { socketAddress } from "./socket-address.js";
