import type { Clock } from "@coxswain/runtime/clock";
import type { Logger } from "@coxswain/runtime/log";
import type { CacheFeedOptions } from "../../cache/cache-feed.js";
import { unreadableText } from "../../cache/read-errors.js";

/** A lost key may concern every object of a resource: the metric counts them, a few lines name some. */
const linesPerPeriod = 10;
const periodMs = 60_000;

/** Logs which values cannot be read, and when all of a resource can be again. */
export function unreadableLog(
  log: Pick<Logger, "error" | "info">,
  clock: Pick<Clock, "monotonic">,
): Pick<CacheFeedOptions, "onUnreadable" | "onReadable"> {
  let began = Number.NEGATIVE_INFINITY;
  let lines = 0;
  const mayLog = (): boolean => {
    if (clock.monotonic() - began > periodMs) {
      began = clock.monotonic();
      lines = 0;
    }
    lines += 1;
    return lines <= linesPerPeriod;
  };
  const nameOf = ({ group, resource }: { readonly group: string; readonly resource: string }): string =>
    group === "" ? resource : `${resource}.${group}`;
  return {
    onUnreadable(kind, object) {
      if (mayLog())
        log.error("a stored value cannot be read: its resource is neither listed nor watched until that is repaired", {
          resource: nameOf(kind),
          key: object.key,
          revision: object.revision,
          error: unreadableText(object),
        });
    },
    onReadable(kind) {
      if (mayLog()) log.info("every stored value of a resource can be read again", { resource: nameOf(kind) });
    },
  };
}
