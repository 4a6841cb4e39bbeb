import type { DeepReadonly } from "@coxswain/api/types";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { DeadlineError } from "../deadline/index.js";
import type { CachedObject, ReadonlyIndexer } from "../stores/index.js";
import type { ListerWatcher } from "../watch/index.js";
import { createSharedInformer } from "./shared-informer.js";

export interface ObjectEvent<T> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: T;
}

export interface WaitUntilOptions<T> {
  listerWatcher: ListerWatcher<T>;
  /** Sees every event, those of the first list as ADDED. True ends the wait; a throw ends it with that error. */
  condition: (event: ObjectEvent<DeepReadonly<T>>) => boolean;
  /** Looks at the content once after the first list, for what events cannot show: that there is no such object. */
  precondition?: (content: ReadonlyIndexer<DeepReadonly<T>>) => boolean;
  /** @default never */
  timeoutMs?: number;
  signal?: AbortSignal;
  onError?: (error: unknown) => void;
  /** @default systemRuntime() */
  runtime?: Runtime;
}

/**
 * Waits for a condition on a resource, through every disconnection. Resolves to the event that met it, or to undefined where
 * the precondition did. Rejects with a DeadlineError after `timeoutMs`, or when the signal aborts.
 */
export async function waitUntil<T extends CachedObject>(
  options: WaitUntilOptions<T>,
): Promise<ObjectEvent<DeepReadonly<T>> | undefined> {
  const { condition, precondition = () => false, timeoutMs, signal, runtime = systemRuntime(), ...rest } = options;
  signal?.throwIfAborted();
  const informer = createSharedInformer<T>({ ...rest, runtime });
  let cleanUp = (): void => {};
  try {
    return await new Promise((resolve, reject) => {
      const test = (type: ObjectEvent<T>["type"]) => (object: DeepReadonly<T>) => {
        try {
          if (condition({ type, object })) resolve({ type, object });
        } catch (error) {
          reject(error);
        }
      };
      const modified = test("MODIFIED");
      const registration = informer.addHandler({
        onAdd: test("ADDED"),
        onUpdate: (_old, object) => modified(object),
        onDelete: test("DELETED"),
      });
      registration
        .whenSynced()
        .then(() => precondition(informer.indexer) && resolve(undefined))
        // Also when the informer is stopped first: then the wait has ended, and this changes nothing.
        .catch(reject);
      const abort = (): void => reject(signal?.reason);
      const timer =
        timeoutMs === undefined
          ? undefined
          : runtime.clock.setTimer(timeoutMs, () => reject(new DeadlineError("waiting for a condition", timeoutMs)));
      signal?.addEventListener("abort", abort, { once: true });
      cleanUp = () => {
        timer?.cancel();
        signal?.removeEventListener("abort", abort);
      };
      informer.start();
    });
  } finally {
    cleanUp();
    // Not awaited: a request that cannot be aborted must not hold back the answer.
    void informer.stop();
  }
}
