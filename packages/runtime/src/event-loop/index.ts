export { type EventLoop, systemEventLoop } from "./event-loop.js";
export { macrotask } from "./macrotask.js";
