/** Every request is answered sooner than this, in milliseconds, or not at all. */
const maxAgeMs = 15 * 60_000;

/** Pure: how long a request may stay yet. */
export const remainingMs = (createdMs: number, nowMs: number): number => Math.max(0, createdMs + maxAgeMs - nowMs);
