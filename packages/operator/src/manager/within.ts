import type { Clock } from "@coxswain/runtime/clock";

/** Waits for the end of something, at most so long; whether it ended. Negative: for ever. */
export function endsWithin(work: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  const ended = work.then(
    () => true,
    () => true, // why it failed is reported where it was started
  );
  if (ms < 0) return ended;
  return new Promise((resolve) => {
    const timer = clock.setTimer(ms, () => resolve(false));
    void ended.then((value) => {
      timer.cancel();
      resolve(value);
    });
  });
}
