import { createBackoff } from "@coxswain/apimachinery/backoff";
import { type Clock, systemClock } from "@coxswain/apimachinery/clock";
import { isForbidden, isUnauthorized } from "@coxswain/apimachinery/status";
import { sleep } from "@coxswain/apimachinery/wait";
import type { ListerWatcher } from "../watch/lister-watcher.js";

export interface WaitForOptions {
  readonly signal?: AbortSignal;
  /** @default none */
  readonly timeoutMs?: number;
  /** @default the system clock */
  readonly clock?: Clock;
}

/** The time of a wait ran out. */
export class WaitTimeoutError extends Error {
  constructor(name: string, timeoutMs: number) {
    super(`${JSON.stringify(name)} did not become what was waited for within ${timeoutMs} ms`);
    this.name = "WaitTimeoutError";
  }
}

/**
 * Waits until `holds` is true of an object; undefined stands for an object that is not there. Returns it as it then was.
 * One list, then a watch; whatever ends the watch (time, 410, a lost connection) begins anew. Only a refusal of access is
 * final.
 */
export async function waitFor<T extends object>(
  resource: ListerWatcher<T>,
  name: string,
  holds: (object: T | undefined) => boolean,
  options: WaitForOptions = {},
): Promise<T | undefined> {
  const { clock = systemClock, timeoutMs, signal } = options;
  const ending = new AbortController();
  const abort = (): void => ending.abort(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  const timer =
    timeoutMs === undefined
      ? undefined
      : clock.setTimer(timeoutMs, () => ending.abort(new WaitTimeoutError(name, timeoutMs)));
  const backoff = createBackoff({ initialMs: 500, maxMs: 10_000, jitter: 0.5, resetAfterMs: 60_000, clock });
  try {
    for (;;) {
      ending.signal.throwIfAborted();
      try {
        const found = await observe(resource, name, holds, ending.signal);
        if (found.done) return found.object;
      } catch (error) {
        if (ending.signal.aborted) throw ending.signal.reason;
        if (isForbidden(error) || isUnauthorized(error)) throw error;
      }
      await sleep(backoff.next(), { clock, signal: ending.signal });
    }
  } finally {
    timer?.cancel();
    signal?.removeEventListener("abort", abort);
  }
}

/** Until the watch ends; `done` where the condition held. */
async function observe<T extends object>(
  resource: ListerWatcher<T>,
  name: string,
  holds: (object: T | undefined) => boolean,
  signal: AbortSignal,
): Promise<{ done: true; object: T | undefined } | { done: false }> {
  const fieldSelector = `metadata.name=${name}`;
  const { items, resourceVersion } = await resource.list({ fieldSelector }, signal);
  if (holds(items[0])) return { done: true, object: items[0] };
  const stream = await resource.watch({ fieldSelector, resourceVersion, allowWatchBookmarks: true }, signal);
  try {
    for await (const batch of stream)
      for (const event of batch) {
        if (event.type === "ERROR") return { done: false };
        if (event.type === "BOOKMARK") continue;
        const object = event.type === "DELETED" ? undefined : event.object;
        if (holds(object)) return { done: true, object };
      }
    return { done: false };
  } finally {
    stream.stop();
  }
}
