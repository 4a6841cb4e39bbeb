import type { RateLimiter } from "@coxswain/client/queue";

/** Of one controller; a manager has defaults for all of its controllers. */
export interface ControllerOptions {
  /** How many requests are reconciled at the same time; one object never twice. @default 1 */
  readonly concurrency?: number;
  /** How long a failed request waits, by `cluster/namespace/name`. @default 5 ms doubling to 1,000 s */
  readonly rateLimiter?: RateLimiter<string>;
  /** How long caches may take to sync at the start. @default 120,000 */
  readonly cacheSyncTimeoutMs?: number;
  /** Aborts the signal of a call that takes longer. @default none */
  readonly reconcileTimeoutMs?: number;
  /** Whether it runs only where the manager leads. @default true */
  readonly needsLeader?: boolean;
  /** Whether its caches are filled while the manager does not lead yet, so that a new leader starts at once. @default false */
  readonly warmUp?: boolean;
  /** Owner of the fields that helpers such as `apply` set. @default the controller's name */
  readonly fieldManager?: string;
}
