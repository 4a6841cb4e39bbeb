/** What requests may take and use. */
export interface LimitOptions {
  /** How long a request may take, watches aside. @default 60 s */
  readonly requestTimeoutMs?: number;
  /** A watch without a timeout of its own ends after a time between this and twice this. @default 30 min */
  readonly minWatchMs?: number;
  /** Longer request bodies are refused with 413. @default 3 MiB */
  readonly maxBodyBytes?: number;
  /** What requests with bodies of more than 64 KiB may hold together, at 32 bytes of heap per byte of body. @default 512 MiB */
  readonly requestMemoryBytes?: number;
  /** How many requests that only read may run at once; 0: any number. @default 0 */
  readonly maxRequestsInFlight?: number;
  /** The same for those that write. @default 0 */
  readonly maxMutatingRequestsInFlight?: number;
  /**
   * Whether requests share seats by priority, instead of being limited by their number alone. Then the two limits
   * together are the seats, by default 400 and 200.
   * @default true
   */
  readonly priorityAndFairness?: boolean;
  /** How likely a request over HTTP/2 is to be the last on its connection. @default 0 */
  readonly goawayChance?: number;
}
