export { defaultBackoff, defaultRetry, retryOnConflict, type RetryOnConflictOptions } from "./retry-on-conflict.js";
