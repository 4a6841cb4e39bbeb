import { describe, expect, it } from "vitest";
import { measureGrowth } from "./memory-growth.js";

const mega = 1_000_000;

/** What a process of 80 MB holds of each round: for good, and for a time. */
interface Held {
  readonly forGood?: number;
  readonly for75Seconds?: number;
  readonly for10Minutes?: number;
  /** Not more than this in all. */
  readonly atMost?: number;
}

/** Time passes only where the check waits, and half a minute in each round. */
async function measured({ forGood = 0, for75Seconds = 0, for10Minutes = 0, atMost = Infinity }: Held) {
  let now = 0;
  const done: number[] = [];
  const since = (ms: number): number => done.filter((at) => now - at < ms).length;
  return measureGrowth({
    rounds: 20,
    round: async () => void done.push((now += 30_000)),
    liveBytes: async () =>
      80 * mega +
      Math.min(atMost, forGood * done.length) +
      for75Seconds * since(75_000) +
      for10Minutes * since(600_000),
    sleep: async (ms) => void (now += ms),
    print: () => {},
  });
}

describe("memory after twenty rounds", () => {
  const rows: { name: string; held: Held; found: string | undefined }[] = [
    { name: "nothing of a round is held", held: {}, found: undefined },
    { name: "events of the last 75 seconds are no growth", held: { for75Seconds: 20 * mega }, found: undefined },
    { name: "messages of the last ten minutes are no growth", held: { for10Minutes: 2 * mega }, found: undefined },
    {
      name: "a cache that is bounded by number is none",
      held: { forGood: mega, atMost: 8 * mega },
      found: undefined,
    },
    {
      name: "half a megabyte of each round is a leak",
      held: { forGood: mega / 2, for75Seconds: mega },
      found: "memory grew from 82.5 to 93.0 MB in 20 rounds, 525 kB in each",
    },
  ];
  for (const { name, held, found } of rows) it(name, async () => expect(await measured(held)).toBe(found));
});
