export { sleep, sleepDuringWork, slept, type WaitOptions } from "./sleep.js";
export { type PollOptions, pollUntil } from "./poll.js";
export { runEvery, type RunEveryOptions } from "./run-every.js";
export { stopReason } from "./stop-reason.js";
