import { defineFlags, type OptionsOf } from "@coxswain/component/flags";
import { createLogger, levelOfVerbosity } from "@coxswain/component/log";
import { systemClock } from "@coxswain/runtime/clock";
import type { Logger, LogLevel } from "@coxswain/runtime/log";

/** What is logged, and in what form. */
export const logFlags = defineFlags({
  "log-level": {
    group: "Log",
    type: "string",
    default: "info",
    choices: ["error", "warn", "info", "debug", "trace"],
    help: "How much to log.",
  },
  "logging-format": {
    group: "Log",
    type: "string",
    default: "text",
    choices: ["text", "json"],
    help: "Text for people, JSON for programs.",
  },
  v: {
    group: "Log",
    type: "integer",
    min: 0,
    short: "v",
    value: "number",
    help: "How much to log, by Kubernetes' numbers: up to 2 as info, from 3 debug (a line for each request), from 6 trace. Wins over --log-level.",
  },
});

/** Writes to standard error. */
export const loggerFrom = (options: OptionsOf<typeof logFlags>): Logger =>
  createLogger({
    clock: systemClock,
    sink: (line) => process.stderr.write(line),
    level: options.v === undefined ? (options.logLevel as LogLevel) : levelOfVerbosity(options.v),
    format: options.loggingFormat as "text" | "json",
  });
