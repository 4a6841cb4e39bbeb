import type { Clock } from "@coxswain/runtime/clock";
import { type LogFields, type Logger, type LogLevel, logLevels } from "@coxswain/runtime/log";
import { formatJson, formatText, type LogEntry } from "./format.js";

export interface LoggerOptions {
  readonly clock: Pick<Clock, "now">;
  /** Takes each line, which ends with a line feed. Must not throw. */
  readonly sink: (line: string) => void;
  /** @default "info" */
  readonly level?: LogLevel;
  /** Text for people, JSON (one object per line) for programs. @default "text" */
  readonly format?: "text" | "json";
  /** Whether text is coloured, for a terminal. @default false */
  readonly colour?: boolean;
  /** On every line. */
  readonly fields?: LogFields;
}

export function createLogger(options: LoggerOptions): Logger {
  const { clock, sink, format = "text", colour = false } = options;
  // Shared by the whole family, so that one call changes them all.
  const threshold = { rank: logLevels.indexOf(options.level ?? "info") };
  const write = (entry: LogEntry): void => {
    const withStacks = threshold.rank >= logLevels.indexOf("debug");
    sink(format === "json" ? formatJson(entry, { withStacks }) : formatText(entry, { withStacks, colour }));
  };
  const member = (own: LogFields): Logger => {
    const at = (level: LogLevel) => {
      const rank = logLevels.indexOf(level);
      return (message: string, fields?: LogFields): void => {
        if (rank <= threshold.rank)
          write({ time: clock.now(), level, message, fields: fields ? { ...own, ...fields } : own });
      };
    };
    return {
      error: at("error"),
      warn: at("warn"),
      info: at("info"),
      debug: at("debug"),
      trace: at("trace"),
      enabled: (level) => logLevels.indexOf(level) <= threshold.rank,
      child: (fields) => member({ ...own, ...fields }),
      setLevel: (level) => void (threshold.rank = logLevels.indexOf(level)),
    };
  };
  return member(options.fields ?? {});
}
