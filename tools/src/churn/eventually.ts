import { setTimeout as sleep } from "node:timers/promises";

/** Asks until there is no problem; after the time limit the problem is an error. */
export async function eventually(
  problem: () => Promise<string | undefined>,
  { timeoutMs = 120_000, everyMs = 200 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const what = await problem();
    if (what === undefined) return;
    if (performance.now() > deadline) throw new Error(what);
    await sleep(everyMs);
  }
}
