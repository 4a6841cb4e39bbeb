export { type ConsoleOptions, serveConsole } from "./serve-console.js";
export type { Relay } from "./serve-relay.js";
export type { Upstream } from "./relay-stream.js";
