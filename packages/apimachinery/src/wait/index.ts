export { sleep, sleepDuringWork, slept, type WaitOptions } from "./sleep.js";
export { type PollOptions, pollUntil } from "./poll.js";
export { runEvery, type RunEveryOptions } from "./run-every.js";
export { retry, type RetryOptions } from "./retry.js";
export { startCountedSlice } from "./counted-slice.js";
export { runAtOnce, runInSlices, type RunInSlicesOptions, type Steps } from "./steps.js";
export { startTimeSlice, type TimeSlice, type TimeSliceOptions } from "./time-slice.js";

export { macrotask } from "./macrotask.js";
