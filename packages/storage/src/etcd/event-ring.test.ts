import { describe, expect, it } from "vitest";
import type { KeyEvent } from "../contract/key-value-store.js";
import { EventRing } from "./event-ring.js";

const event = (revision: number, bytes = 0): KeyEvent => ({
  type: "put",
  key: `/${revision}`,
  revision,
  record: { key: `/${revision}`, value: new Uint8Array(bytes), revision, createRevision: revision, version: 1 },
  previous: undefined,
});
const ringOf = (revisions: readonly number[], limits = { events: 100, bytes: 1000 }, bytes = 0): EventRing => {
  const ring = new EventRing(10, limits);
  for (const revision of revisions) ring.push([event(revision, bytes)], revision);
  return ring;
};
const revisionsAfter = (ring: EventRing, revision: number, most = 100): number[] | undefined =>
  ring.after(revision, most)?.events.map((one) => one.revision);

describe("EventRing", () => {
  it("returns the events it was given", () => {
    const ring = ringOf([11, 13, 17]);
    expect(ring.start).toBe(10);
    expect(revisionsAfter(ring, 10)).toEqual([11, 13, 17]);
    expect(revisionsAfter(ring, 11)).toEqual([13, 17]);
    expect(revisionsAfter(ring, 12)).toEqual([13, 17]);
    expect(revisionsAfter(ring, 17)).toBeUndefined();
  });

  it("hands out portions of whole revisions", () => {
    const ring = new EventRing(1);
    ring.push([event(2), event(2), event(2)], 2);
    ring.push([event(3)], 3);
    expect(ring.after(1, 2)).toMatchObject({ upTo: 2, events: [{ revision: 2 }, { revision: 2 }, { revision: 2 }] });
    expect(ring.after(2, 2)).toMatchObject({ upTo: 3 });
  });

  it("forgets the oldest beyond a number of events", () => {
    const ring = ringOf([11, 12, 13, 14], { events: 2, bytes: 1000 });
    expect([ring.start, revisionsAfter(ring, ring.start)]).toEqual([12, [13, 14]]);
  });

  it("forgets the oldest beyond a number of bytes, but never the newest", () => {
    const ring = ringOf([11, 12, 13], { events: 100, bytes: 1000 }, 600);
    expect([ring.start, revisionsAfter(ring, ring.start)]).toEqual([12, [13]]);
    ring.push([event(14, 5000)], 14);
    expect([ring.start, revisionsAfter(ring, ring.start)]).toEqual([13, [14]]);
  });
});
