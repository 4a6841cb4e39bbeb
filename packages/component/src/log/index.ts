export { createLogger, type LoggerOptions } from "./create-logger.js";
export { type LogFields, type Logger, type LogLevel, logLevels, silentLogger } from "./logger.js";
export { levelOfVerbosity } from "./verbosity.js";
