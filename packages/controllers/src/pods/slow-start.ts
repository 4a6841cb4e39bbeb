/**
 * Does `work` up to `count` times, in groups of 1, 2, 4 … at the same time. After a group with a failure it stops: where all
 * would fail alike (a quota), few requests are wasted.
 */
export async function slowStart(
  count: number,
  work: (index: number) => Promise<unknown>,
): Promise<{ readonly successes: number; readonly error?: unknown }> {
  let successes = 0;
  let started = 0;
  for (let size = Math.min(count, 1); size > 0; size = Math.min(2 * size, count - started)) {
    const results = await Promise.allSettled(Array.from({ length: size }, (_, index) => work(started + index)));
    started += size;
    const failures = results.filter((result) => result.status === "rejected");
    successes += size - failures.length;
    const [first] = failures;
    if (first) return { successes, error: first.reason };
  }
  return { successes };
}
