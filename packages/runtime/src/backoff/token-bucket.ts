import { type Clock, systemClock } from "../clock/index.js";
import { sleep } from "../wait/index.js";

export interface TokenBucketOptions {
  /** How many tokens arrive each second. */
  perSecond: number;
  /** How many tokens there can be at most, and are in the beginning. */
  burst: number;
  /** @default the system clock */
  clock?: Clock;
}

/** So many at once, so many a second. */
export interface TokenBucket {
  /** Takes a token if there is one. */
  tryTake(): boolean;
  /** Takes a token, also a future one, and returns how many milliseconds to wait for it. */
  reserve(): number;
  /** Takes a token and waits for it. An aborted wait gives it back. */
  take(signal?: AbortSignal): Promise<void>;
}

export function createTokenBucket({ perSecond, burst, clock = systemClock }: TokenBucketOptions): TokenBucket {
  let tokens = burst;
  let filledAt = clock.monotonic();
  const fill = (): void => {
    const now = clock.monotonic();
    tokens = Math.min(burst, tokens + ((now - filledAt) * perSecond) / 1000);
    filledAt = now;
  };
  const bucket: TokenBucket = {
    tryTake() {
      fill();
      if (tokens < 1) return false;
      tokens--;
      return true;
    },
    reserve() {
      fill();
      tokens--;
      return tokens >= 0 ? 0 : (-tokens / perSecond) * 1000;
    },
    async take(signal) {
      signal?.throwIfAborted();
      const wait = bucket.reserve();
      if (wait === 0) return;
      try {
        await sleep(wait, { clock, signal });
      } catch (error) {
        tokens++;
        throw error;
      }
    },
  };
  return bucket;
}
