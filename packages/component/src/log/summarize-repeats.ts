import type { Clock } from "@coxswain/runtime/clock";
import type { LogFields, Logger } from "@coxswain/runtime/log";

/** Warnings of one message that are shown in a minute; one line then counts the others. */
const shownPerWindow = 3;
const windowMs = 60_000;

/** A log for a terminal: a warning that comes again and again is shown three times in a minute and then counted. Errors are all shown. */
export function summarizeRepeats(log: Logger, clock: Clock): Logger {
  const counts = new Map<string, number>();
  const wrap = (inner: Logger): Logger => ({
    error: (message, fields) => inner.error(message, fields),
    warn(message: string, fields?: LogFields) {
      const count = (counts.get(message) ?? 0) + 1;
      counts.set(message, count);
      if (count === 1) clock.setTimer(windowMs, () => end(message));
      if (count <= shownPerWindow) inner.warn(message, fields);
    },
    info: (message, fields) => inner.info(message, fields),
    debug: (message, fields) => inner.debug(message, fields),
    trace: (message, fields) => inner.trace(message, fields),
    enabled: (level) => inner.enabled(level),
    child: (fields) => wrap(inner.child(fields)),
    setLevel: (level) => inner.setLevel(level),
  });
  function end(message: string): void {
    const hidden = (counts.get(message) ?? 0) - shownPerWindow;
    counts.delete(message);
    if (hidden > 0) log.warn(`${message}: more times in a minute`, { times: hidden });
  }
  return wrap(log);
}
