export { type LogFields, type Logger, type LogLevel, logLevels, silentLogger } from "./logger.js";
