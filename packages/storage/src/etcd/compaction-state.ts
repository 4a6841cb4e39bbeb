/**
 * How far history is forgotten, as this store sees it. etcd may still have more: it is compacted only up to what no open
 * snapshot of this store shows.
 */
export interface CompactionState {
  /** Known to be compacted; others may have gone further. */
  readonly known: number;
  /** @throws StoreError "expired" for a revision (0: none) before it */
  check(at: number): void;
  compact(revision: number): Promise<void>;
  /** Asks etcd, unless that was done a moment ago. */
  find(signal?: AbortSignal): Promise<number>;
  /** Somebody else has compacted up to here. */
  learn(revision: number): void;
  /** Keeps what stands at a revision until the function is called. */
  hold(revision: number): () => Promise<void>;
}
