export { type Clock, type Timer, type TimerKind, withTimerKind } from "./clock.js";
export { systemClock } from "./system-clock.js";
export { createVirtualClock, type VirtualClock, type VirtualClockOptions } from "./virtual-clock.js";
