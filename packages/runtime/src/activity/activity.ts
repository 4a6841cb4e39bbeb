import { macrotask } from "../event-loop/index.js";
import type { WorkTrace } from "./work-trace.js";

/**
 * Counts what is under way: requests, undelivered events, work items, batches of the store.
 * A test that moves time waits until nothing is.
 */
export interface Activity {
  /** Something starts. Each `begin` has exactly one `end`. */
  begin(): void;
  end(): void;
  /** How many are under way. */
  readonly count: number;
  /**
   * What is under way waits for time to pass, in the middle of its work: time need not wait for it. Each `pause` has exactly one
   * `resume`. A caller that is not counted may pause, too.
   */
  pause(): void;
  resume(): void;
  /**
   * Resolves once nothing is under way but what has paused, and an iteration of the event loop passed without anything starting or
   * ending: what is on its way is counted, or goes on by promise jobs alone, which all run before the next iteration.
   */
  settle(): Promise<void>;
  /** Which of so many ready items a work queue hands out next, from 0: for tests of other orders. @default the first */
  pick?: (waiting: number) => number;
  /** @default nobody follows work items */
  trace?: WorkTrace;
}

export function createActivity(): Activity {
  let count = 0;
  let paused = 0;
  let changes = 0;
  let waiting: (() => void)[] = [];
  const isStill = (): boolean => count <= paused;
  const stillness = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
  function wakeIfStill(): void {
    if (!isStill()) return;
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  }
  return {
    begin() {
      count++;
      changes++;
    },
    end() {
      if (count === 0) throw new Error("activity ended more often than it began");
      count--;
      changes++;
      wakeIfStill();
    },
    get count() {
      return count;
    },
    pause() {
      paused++;
      wakeIfStill();
    },
    resume() {
      paused--;
      changes++;
    },
    async settle() {
      for (;;) {
        if (!isStill()) await stillness();
        const before = changes;
        await macrotask();
        if (isStill() && changes === before) return;
      }
    },
  };
}

/** For processes that nobody waits for: counts nothing and is always settled. */
export const noActivity: Activity = {
  begin: () => {},
  end: () => {},
  count: 0,
  pause: () => {},
  resume: () => {},
  settle: () => Promise.resolve(),
};

/** Counts `work` while it runs. */
export async function during<T>(activity: Activity, work: () => Promise<T>): Promise<T> {
  activity.begin();
  try {
    return await work();
  } finally {
    activity.end();
  }
}
