export type { Clock, Timer } from "./clock.js";
export { systemClock } from "./system-clock.js";
