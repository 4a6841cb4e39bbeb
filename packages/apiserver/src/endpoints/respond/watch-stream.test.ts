import { createVirtualClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import type { WatchSink } from "../../cache/watcher.js";
import type { WatchAnswer } from "../../request/answer.js";
import type { EventForm } from "../../request/form.js";
import { streamWatch } from "./watch-stream.js";

/** What the client of a quiet watch reads, and when, in seconds. */
async function quietWatch(timeoutSeconds: number, bookmarks: boolean): Promise<string[]> {
  const clock = createVirtualClock();
  const began = clock.monotonic();
  const seen: string[] = [];
  const note = (what: string): void => void seen.push(`${what} at ${(clock.monotonic() - began) / 1000}`);
  const open = (sink: WatchSink) => ({ sendBookmark: () => sink.bookmark(7, false), stop: () => sink.end("stopped") });
  const answer = {
    as: "watch",
    timeoutMs: timeoutSeconds * 1000,
    bookmarks,
    refusal: undefined,
    open,
  } as unknown as WatchAnswer; // the kind is not looked at
  const events = {
    shared: undefined,
    bookmark: (revision: number) => new TextEncoder().encode(String(revision)),
  } as unknown as EventForm; // there are no others
  const sink = {
    write: (bytes: Uint8Array) => (note(`bookmark ${new TextDecoder().decode(bytes)}`), true),
    drained: () => Promise.resolve(),
    end: () => note("end"),
    abort: () => note("cut"),
  };
  const done = streamWatch({ answer, events, sink, signal: new AbortController().signal, clock });
  await clock.advance(timeoutSeconds * 1000);
  await done;
  return seen;
}

describe("a watch whose time is over", () => {
  it("sends a bookmark before, to clients that asked for bookmarks", async () =>
    expect(await quietWatch(10, true)).toEqual(["bookmark 7 at 8", "end at 10"]));
  it("sends none to others", async () => expect(await quietWatch(10, false)).toEqual(["end at 10"]));
  it("sends none when it was short", async () => expect(await quietWatch(2, true)).toEqual(["end at 2"]));
});
