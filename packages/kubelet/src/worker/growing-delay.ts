/** Of syncs that fail: upstream's back-off of pod workers begins at 10 s; it grows here, so that a broken pod costs ever less. */
const delaysMs = { first: 10_000, last: 120_000 };

export interface GrowingDelay {
  /** Longer each time, in milliseconds. */
  next(): number;
  reset(): void;
}

export function createGrowingDelay(): GrowingDelay {
  let delayMs = delaysMs.first;
  return {
    next() {
      const now = delayMs;
      delayMs = Math.min(delayMs * 2, delaysMs.last);
      return now;
    },
    reset: () => void (delayMs = delaysMs.first),
  };
}
