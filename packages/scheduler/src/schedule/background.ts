import type { Activity } from "@coxswain/runtime/activity";

/** Work beside the main loop, counted and waited for. */
export interface Background {
  run(work: (signal: AbortSignal) => Promise<void>): void;
  /** Ends what is under way and waits for it. */
  stop(): Promise<void>;
}

/** Each piece of work has a signal of its own: hundreds of listeners on one are searched through with each new one. */
export function createBackground(activity: Activity, onError: (error: unknown) => void): Background {
  const running = new Map<AbortController, Promise<void>>();
  let isStopped = false;
  return {
    run(work) {
      activity.begin();
      const ending = new AbortController();
      if (isStopped) ending.abort();
      const promise = work(ending.signal)
        .catch((error: unknown) => {
          if (!isStopped) onError(error);
        })
        .finally(() => {
          running.delete(ending);
          activity.end();
        });
      running.set(ending, promise);
    },
    async stop() {
      isStopped = true;
      for (const ending of running.keys()) ending.abort();
      await Promise.all(running.values());
    },
  };
}
