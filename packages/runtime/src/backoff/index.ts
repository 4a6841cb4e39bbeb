export { type Backoff, type BackoffOptions, createBackoff } from "./backoff.js";
export {
  createBucketLimiter,
  createControllerLimiter,
  createFastSlowLimiter,
  createItemBackoff,
  maxOfLimiters,
  type RateLimiter,
} from "./rate-limiter.js";
export { createTokenBucket, type TokenBucket, type TokenBucketOptions } from "./token-bucket.js";
export { createKeyedBackoff, type KeyedBackoff, type KeyedBackoffOptions } from "./keyed-backoff.js";

export { retry, type RetryOptions } from "./retry.js";
