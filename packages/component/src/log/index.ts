export { createLogger, type LoggerOptions } from "./create-logger.js";
export { levelOfVerbosity } from "./verbosity.js";
export { summarizeRepeats } from "./summarize-repeats.js";
