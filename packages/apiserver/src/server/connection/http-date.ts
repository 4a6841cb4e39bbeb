import type { Clock } from "@coxswain/runtime/clock";

/** The value of the header `date`, made once per second. */
export function createHttpDate(clock: Clock): () => string {
  let second = Number.NaN;
  let text = "";
  return () => {
    const now = Math.floor(clock.now() / 1000);
    if (now !== second) {
      second = now;
      text = new Date(now * 1000).toUTCString();
    }
    return text;
  };
}
