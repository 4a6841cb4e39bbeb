import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { CacheEvent } from "./cache-event.js";
import { createEventRing } from "./event-ring.js";

const event = (revision: number, at = 0): CacheEvent =>
  new CacheEvent({ revision, at, current: undefined, previous: undefined });
const revisions = (events: CacheEvent[] | undefined): number[] | undefined => events?.map((one) => one.revision);

describe("the ring of events", () => {
  it("answers what came after a revision", () => {
    const ring = createEventRing(10);
    for (const revision of [11, 13, 17]) ring.append(event(revision));
    expect(revisions(ring.since(10))).toEqual([11, 13, 17]);
    expect(revisions(ring.since(13))).toEqual([17]);
    expect(revisions(ring.since(12))).toEqual([13, 17]);
    expect(revisions(ring.since(99))).toEqual([]);
  });

  it("does not answer for what it never had", () => expect(createEventRing(10).since(9)).toBeUndefined());

  it("forgets by number, and then no longer answers from there", () => {
    const ring = createEventRing(0, { maxAgeMs: 1e9, maxEvents: 3 });
    for (let revision = 1; revision <= 5000; revision++) ring.append(event(revision));
    expect(revisions(ring.since(4997))).toEqual([4998, 4999, 5000]);
    expect(ring.since(4996)).toBeUndefined();
    expect(ring.floor()).toBe(4997);
  });

  it("lets go of the objects of dropped events at once", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const ring = createEventRing(0, { maxAgeMs: 1e9, maxEvents: 3 });
    const dropped = ((): WeakRef<CacheEvent> => {
      const first = event(1);
      ring.append(first);
      return new WeakRef(first);
    })();
    for (let revision = 2; revision <= 10; revision++) ring.append(event(revision));
    await new Promise((resolve) => setImmediate(resolve)); // a WeakRef holds its target until the end of the task that made it
    collect();
    expect(dropped.deref()).toBeUndefined();
    expect(ring.floor()).toBe(7);
  });

  it("keeps the last hundred however old they are", () => {
    const ring = createEventRing(0);
    for (let revision = 1; revision <= 100; revision++) ring.append(event(revision, revision * 1e6));
    expect(ring.since(0)).toHaveLength(100);
    ring.append(event(101, 1e9));
    expect(ring.since(0)).toBeUndefined();
    expect(ring.since(1)).toHaveLength(100);
  });

  it("forgets by age when nothing new comes", () => {
    const ring = createEventRing(0, { maxAgeMs: 100, maxEvents: 100, minEvents: 1 });
    for (const revision of [1, 2, 3]) ring.append(event(revision, 50));
    ring.drop(150);
    expect(revisions(ring.since(0))).toEqual([1, 2, 3]);
    ring.drop(151);
    expect(revisions(ring.since(2))).toEqual([3]);
    expect(ring.floor()).toBe(2);
  });

  it("forgets by age when something new comes", () => {
    const ring = createEventRing(0, { maxAgeMs: 100, maxEvents: 100, minEvents: 1 });
    ring.append(event(1, 0));
    ring.append(event(2, 90));
    ring.append(event(3, 150));
    expect(revisions(ring.since(1))).toEqual([2, 3]);
    expect(ring.since(0)).toBeUndefined();
  });
});
