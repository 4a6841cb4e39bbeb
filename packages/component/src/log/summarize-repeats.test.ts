import { createVirtualClock } from "@coxswain/runtime/clock";
import { silentLogger } from "@coxswain/runtime/log";
import { expect, it } from "vitest";
import { summarizeRepeats } from "./summarize-repeats.js";

it("a flood of one warning is three lines and a sum; other warnings and the next minute are shown", async () => {
  const clock = createVirtualClock();
  const lines: string[] = [];
  const sink = {
    ...silentLogger,
    warn: (message: string, fields = {}) => void lines.push(`${message} ${JSON.stringify(fields)}`),
  };
  const log = summarizeRepeats({ ...sink, child: () => sink }, clock);
  for (let at = 0; at < 10; at++) log.child({}).warn("retry", { at });
  log.warn("other");
  await clock.advance(60_000);
  log.warn("retry", { at: 10 });
  expect(lines).toEqual([
    'retry {"at":0}',
    'retry {"at":1}',
    'retry {"at":2}',
    "other {}",
    'retry: more times in a minute {"times":7}',
    'retry {"at":10}',
  ]);
});
