import { systemClock } from "@coxswain/runtime/clock";
import type { Logger, LogLevel } from "@coxswain/runtime/log";
import { defineFlags, type OptionsOf } from "../flags/index.js";
import { createLogger } from "../log/index.js";

/** What a user's own program logs, and in what form. */
export const logFlags = (format: "json" | "text") =>
  defineFlags({
    "log-level": {
      type: "string",
      default: "info",
      group: "Logging",
      choices: ["error", "warn", "info", "debug", "trace"],
      help: "What is logged.",
    },
    "log-format": {
      type: "string",
      default: format,
      group: "Logging",
      choices: ["json", "text"],
      help: "JSON for programs, text for people.",
    },
  });

/** Writes to standard error. */
export const loggerFrom = ({ logLevel, logFormat }: OptionsOf<ReturnType<typeof logFlags>>): Logger =>
  createLogger({
    clock: systemClock,
    sink: (line) => void process.stderr.write(line),
    level: logLevel as LogLevel,
    format: logFormat as "json" | "text",
  });
