import type { Activity } from "@coxswain/apimachinery/clock";

/** Work beside the main loop, counted and waited for. */
export interface Background {
  run(work: (signal: AbortSignal) => Promise<void>): void;
  /** Ends what is under way and waits for it. */
  stop(): Promise<void>;
}

export function createBackground(activity: Activity, onError: (error: unknown) => void): Background {
  const ending = new AbortController();
  const running = new Set<Promise<void>>();
  return {
    run(work) {
      activity.begin();
      const promise = work(ending.signal)
        .catch((error: unknown) => {
          if (!ending.signal.aborted) onError(error);
        })
        .finally(() => {
          running.delete(promise);
          activity.end();
        });
      running.add(promise);
    },
    async stop() {
      ending.abort();
      await Promise.all(running);
    },
  };
}
