export { type EventLoop, nodeEventLoop } from "./event-loop.js";
export type { Task } from "./task.js";
export { TaskScheduler } from "./task-scheduler.js";
