import { expect, it } from "vitest";
import { RetryAfter } from "./retry-after.js";

/** Upstream's table for its tracker of dropped requests: seconds passed, requests refused then, and the Retry-After they get. */
const steps = [
  [0, 5, 1],
  [1, 11, 2],
  [2, 1, 2],
  [3, 11, 4],
  [4, 1, 4],
  [7, 1, 8],
  [11, 1, 8],
  [15, 1, 7],
  [17, 1, 6],
  [21, 14, 5],
  [22, 1, 10],
] as const;

it("those refused wait longer while many are, and no longer than needed afterwards", () => {
  const retryAfter = new RetryAfter();
  for (const [second, refused, want] of steps) {
    for (let each = 0; each < refused; each++) retryAfter.refused(1_700_000_000 + second);
    expect([second, retryAfter.seconds]).toEqual([second, want]);
  }
});
