import type { Runtime } from "@coxswain/runtime";
import type { ClusterObjects } from "./cluster-objects.js";

export interface SettleOptions {
  /** Its activity counts the caller as under way, but not while it waits here. */
  readonly runtime: Runtime;
  /** What to look at again when it changes. */
  readonly kinds: readonly (keyof ClusterObjects)[];
  onChange(kind: keyof ClusterObjects, listener: () => void): () => void;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Resolves once `isSettled`, which is asked now and at every change of the kinds.
 * @throws what it throws, the signal's reason, or Error after the timeout, in Go's words
 */
export async function waitUntilSettled(isSettled: () => boolean, options: SettleOptions): Promise<void> {
  const { kinds, onChange, timeoutMs, signal } = options;
  const { clock, activity } = options.runtime;
  if (isSettled()) return;
  activity.end();
  await new Promise<void>((resolve, reject) => {
    const undo: (() => void)[] = [];
    const end = (finish: () => void): void => {
      for (const step of undo) step();
      activity.begin();
      finish();
    };
    const look = (): void => {
      try {
        if (isSettled()) end(resolve);
      } catch (error) {
        end(() => reject(error));
      }
    };
    const abort = (): void => end(() => reject(signal.reason));
    for (const kind of kinds) undo.push(onChange(kind, look));
    const timer = clock.setTimer(timeoutMs, () => end(() => reject(new Error("context deadline exceeded"))));
    undo.push(
      () => timer.cancel(),
      () => signal.removeEventListener("abort", abort),
    );
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
  });
}
