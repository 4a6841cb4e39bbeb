export { logFlags, loggerFrom } from "./log-flags.js";
export { processSignal } from "./process-signal.js";
