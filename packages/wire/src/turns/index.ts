export { eventLoop, type EventLoop } from "./event-loop.js";
export { type Patron, Turns } from "./turns.js";
