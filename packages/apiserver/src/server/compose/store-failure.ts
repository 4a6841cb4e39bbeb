import type { CacheFeed } from "../../cache/cache-feed.js";

/** Whether the store has failed for good, by the watch that fills the caches. */
export interface StoreFailure {
  /** Rejects when the store fails for good. */
  readonly failed: Promise<never>;
  /** Why the store does not work, or nothing. */
  problem(): string | undefined;
}

export function storeFailure({ ended }: Pick<CacheFeed, "ended">): StoreFailure {
  let failure: string | undefined;
  const failed = ended.then(
    () => new Promise<never>(() => {}),
    (err: unknown) => {
      failure = err instanceof Error ? err.message : String(err);
      throw err;
    },
  );
  failed.catch(() => {}); // reported to callers that await it
  return { failed, problem: () => failure };
}
