/** From the gravest to the most talkative. */
export const logLevels = ["error", "warn", "info", "debug", "trace"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Fields of a line besides its message. An Error shows its message and causes (with the stack from `debug` on). */
export type LogFields = Readonly<Record<string, unknown>>;

/** One line is one event: a sentence that is always the same, and fields that differ. */
export interface Logger {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  trace(message: string, fields?: LogFields): void;
  /** Ask before building costly fields. */
  enabled(level: LogLevel): boolean;
  /** The same log with fields on every line. Follows `setLevel` of any of its relatives. */
  child(fields: LogFields): Logger;
  /** For the whole family, while running. */
  setLevel(level: LogLevel): void;
}

/** Discards every line. */
export const silentLogger: Logger = {
  error() {},
  warn() {},
  info() {},
  debug() {},
  trace() {},
  enabled: () => false,
  child: () => silentLogger,
  setLevel() {},
};
