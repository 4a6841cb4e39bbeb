import type { Clock } from "@coxswain/runtime/clock";

/** What is remembered; beyond it the oldest are forgotten, so that nobody fills the memory. */
const rememberedMost = 1000;

/** Answers of a slow function, remembered while they are awaited and for `ttlMs` from then on. Failures are not. */
export function rememberAnswers<T>(
  clock: Clock,
  ttlMs: (answer: T) => number,
): (key: string, ask: () => Promise<T>) => Promise<T> {
  const known = new Map<string, { until: number; readonly answer: Promise<T> }>();
  return (key, ask) => {
    const found = known.get(key);
    if (found && found.until > clock.monotonic()) return found.answer;
    known.delete(key);
    const entry = { until: Number.POSITIVE_INFINITY, answer: ask() };
    known.set(key, entry);
    entry.answer.then(
      (answer) => (entry.until = clock.monotonic() + ttlMs(answer)),
      () => known.get(key) === entry && known.delete(key),
    );
    for (const oldest of known.keys()) {
      if (known.size <= rememberedMost) break;
      known.delete(oldest);
    }
    return entry.answer;
  };
}
