import { macrotask } from "../wait/macrotask.js";
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
  /** Resolves once nothing is under way and some whole turns of the event loop passed without anything starting. */
  settle(): Promise<void>;
  /** Which of so many ready items a work queue hands out next, from 0: for tests of other orders. @default the first */
  pick?: (waiting: number) => number;
  /** @default nobody follows work items */
  trace?: WorkTrace;
}

/**
 * An event is on its way for some turns in which nobody counts it: a cache gives it to its watchers in the next turn, and who
 * reads a long batch lets others run in between.
 */
const quietTurns = 4;

export function createActivity({ yieldToOthers = macrotask }: { yieldToOthers?: () => Promise<void> } = {}): Activity {
  let count = 0;
  let begun = 0;
  let waiting: (() => void)[] = [];
  const zero = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
  return {
    begin() {
      count++;
      begun++;
    },
    end() {
      if (count === 0) throw new Error("activity ended more often than it began");
      if (--count > 0) return;
      const resumed = waiting;
      waiting = [];
      for (const resume of resumed) resume();
    },
    get count() {
      return count;
    },
    async settle() {
      for (;;) {
        if (count > 0) await zero();
        const before = begun;
        for (let turn = 0; turn < quietTurns; turn++) await yieldToOthers();
        if (count === 0 && begun === before) return;
      }
    },
  };
}

/** For processes that nobody waits for: counts nothing and is always settled. */
export const noActivity: Activity = { begin: () => {}, end: () => {}, count: 0, settle: () => Promise.resolve() };

/** Counts `work` while it runs. */
export async function during<T>(activity: Activity, work: () => Promise<T>): Promise<T> {
  activity.begin();
  try {
    return await work();
  } finally {
    activity.end();
  }
}
