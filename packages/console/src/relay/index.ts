export { type ConsoleOptions, serveConsole } from "./serve-console.js";
export type { Relay } from "./serve-relay.js";
export type { ConsoleClock, Upstream } from "./relay-stream.js";
