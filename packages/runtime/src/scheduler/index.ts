export type { Scheduler } from "./scheduler.js";
export type { Task } from "./task.js";
export { estimatedTime, measuredTime, type SliceTime } from "./slice-time.js";
export { TaskScheduler, type TaskSchedulerOptions } from "./task-scheduler.js";
