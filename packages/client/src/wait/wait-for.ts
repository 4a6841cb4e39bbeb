import type { DeepReadonly } from "@coxswain/api/types";
import { isForbidden, isUnauthorized } from "@coxswain/apimachinery/status";
import { type CachedObject, filterListerWatcher, type WaitUntilOptions, waitUntil } from "../informers/index.js";
import type { ListerWatcher } from "../watch/lister-watcher.js";

export type WaitForOptions = Pick<WaitUntilOptions<CachedObject>, "signal" | "timeoutMs" | "runtime">;

/**
 * Waits until `holds` is true of an object; undefined stands for an object that is not there. Resolves to the object as it
 * then was, through every disconnection. Rejects with a DeadlineError after `timeoutMs`, and at once when the server
 * forbids to look.
 */
export async function waitFor<T extends CachedObject>(
  resource: ListerWatcher<T>,
  name: string,
  holds: (object: DeepReadonly<T> | undefined) => boolean,
  { signal, ...options }: WaitForOptions = {},
): Promise<DeepReadonly<T> | undefined> {
  const ending = new AbortController();
  const abort = (): void => ending.abort(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  try {
    const event = await waitUntil<T>({
      ...options,
      signal: ending.signal,
      listerWatcher: filterListerWatcher(resource, { fieldSelector: `metadata.name=${name}` }),
      condition: ({ type, object }) => holds(type === "DELETED" ? undefined : object),
      precondition: (content) => content.size === 0 && holds(undefined),
      onError: (error) => void ((isForbidden(error) || isUnauthorized(error)) && ending.abort(error)),
    });
    return event === undefined || event.type === "DELETED" ? undefined : event.object;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}
