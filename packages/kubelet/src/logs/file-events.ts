import { watch } from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "@coxswain/runtime/clock";

/** Upstream's logForceCheckPeriod (k8s.io/cri-client/pkg/logs). */
const pollMs = 1000;

/** Notifies when something may have happened to a file. */
export interface FileEvents {
  /** Resolves at the next event, or when the time is over; at once where there was an event since the last call. */
  next(timeoutMs?: number): Promise<void>;
  stop(): void;
}

/**
 * Watches the directory of a file, since the file itself may be replaced. Where the system has no more watches to give
 * (fs.inotify.max_user_watches), it looks every second.
 * @param also further reasons to wake: aborts
 */
export function createFileEvents(path: string, clock: Clock, also: readonly AbortSignal[]): FileEvents {
  let hasEvent = false;
  let wake = (): void => {};
  const happened = (): void => {
    hasEvent = true;
    wake();
  };
  const source = watchDirectory(dirname(path), happened) ?? pollEvery(clock, happened);
  for (const signal of also) {
    if (signal.aborted) hasEvent = true;
    signal.addEventListener("abort", happened, { once: true });
  }
  return {
    async next(timeoutMs) {
      const timer = timeoutMs === undefined ? undefined : clock.setTimer(timeoutMs, () => wake());
      if (!hasEvent) await new Promise<void>((resolve) => (wake = resolve));
      timer?.cancel();
      hasEvent = false;
    },
    stop() {
      source.stop();
      for (const signal of also) signal.removeEventListener("abort", happened);
      happened();
    },
  };
}

function watchDirectory(directory: string, happened: () => void): { stop(): void } | undefined {
  try {
    const watcher = watch(directory, happened);
    watcher.on("error", happened);
    return { stop: () => watcher.close() };
  } catch {
    return undefined; // no watches are left, or the directory is gone: polling finds out
  }
}

function pollEvery(clock: Clock, happened: () => void): { stop(): void } {
  const tick = (): void => {
    happened();
    timer = clock.setTimer(pollMs, tick);
  };
  let timer = clock.setTimer(pollMs, tick);
  return { stop: () => timer.cancel() };
}
