import { isForbidden, isUnauthorized, statusErrorOf, suggestedDelaySeconds } from "@coxswain/apimachinery/status";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { slept } from "@coxswain/runtime/wait";
import { type CachedObject, resourceVersionOf } from "../stores/index.js";
import type { ListerWatcher, WatchEvent } from "../watch/index.js";
import { openWatch } from "./watch-reader.js";

export interface RetryWatchOptions<T> {
  listerWatcher: Pick<ListerWatcher<T>, "watch">;
  /** Where to begin: that of a list. Empty and "0" are refused, as they replay objects out of order. */
  resourceVersion: string;
  /** Ends the watch without an error. */
  signal: AbortSignal;
  /** The shortest time between the beginnings of two watches. @default 1,000 */
  minRestartDelayMs?: number;
  /** A watch that is silent for so long is opened again. @default 600,000 */
  idleTimeoutMs?: number;
  onError?: (error: unknown) => void;
  /** @default systemRuntime() */
  runtime?: Runtime;
}

/**
 * A watch that resumes where it broke off, and keeps no state but a resourceVersion. Ends with an ERROR event when it cannot
 * go on: the version expired (410), or the client may not watch (401, 403). Bookmarks are not handed out.
 * Unlike an informer it cannot bridge a gap.
 */
export async function* retryWatch<T extends CachedObject>(
  options: RetryWatchOptions<T>,
): AsyncGenerator<Exclude<WatchEvent<T>, { type: "BOOKMARK" }>, void, void> {
  const { listerWatcher, signal, minRestartDelayMs = 1000, idleTimeoutMs = 600_000 } = options;
  const { onError = () => {}, runtime = systemRuntime() } = options;
  const { clock } = runtime;
  let version = options.resourceVersion;
  if (version === "" || version === "0")
    throw new Error(`a watch cannot be resumed from resourceVersion "${version}": list first`);

  while (!signal.aborted) {
    const began = clock.monotonic();
    let error: unknown;
    try {
      const request = { resourceVersion: version, allowWatchBookmarks: true };
      const watch = listerWatcher as ListerWatcher<T>;
      const reader = await openWatch(watch, request, { deadlineMs: idleTimeoutMs, clock, signal });
      try {
        for (let batch = await reader.next(); batch !== undefined; batch = await reader.next()) {
          reader.setDeadline(idleTimeoutMs);
          for (const event of batch) {
            if (event.type === "ERROR") throw event.error;
            if (event.type !== "BOOKMARK") yield event;
            version = event.type === "BOOKMARK" ? event.resourceVersion : resourceVersionOf(event.object) || version;
          }
        }
      } finally {
        reader.stop();
      }
    } catch (caught) {
      if (signal.aborted) return;
      error = caught;
      onError(caught);
      const final = isFinal(caught);
      if (final !== undefined) {
        yield { type: "ERROR", error: final };
        return;
      }
    }
    const restartAt = Math.max(
      began + minRestartDelayMs,
      clock.monotonic() + (suggestedDelaySeconds(error) ?? 0) * 1000,
    );
    const wait = restartAt - clock.monotonic();
    if (wait > 0 && !(await slept(wait, { clock, signal }))) return;
  }
}

function isFinal(error: unknown) {
  const status = statusErrorOf(error);
  return status !== undefined && (status.status.code === 410 || isUnauthorized(status) || isForbidden(status))
    ? status
    : undefined;
}
