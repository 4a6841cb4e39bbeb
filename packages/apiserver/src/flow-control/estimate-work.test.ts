import { describe, expect, it } from "vitest";
import { createQuery } from "../request/query.js";
import { estimateWork } from "./estimate-work.js";
import { WatchCounts } from "./watch-counts.js";

/** Upstream's table: bytes of all objects, their number, the request, and the seats by number and by size, before any cap. */
const lists: [bytes: number, count: number, query: string, name: string, byCount: number, bySize: number][] = [
  [99_999, 99, "continue=x", "", 2, 1],
  [99_999, 10, "continue=x", "", 1, 1],
  [99_999, 99, "", "", 1, 1],
  [99_999, 10, "", "", 1, 1],
  [999_999, 1000, "continue=x", "", 20, 10],
  [999_999, 1000, "continue=x&limit=100", "", 2, 1],
  [999_999, 1000, "continue=x&limit=100&labelSelector=a", "", 11, 5],
  [999_999, 1000, "", "", 10, 10],
  [999_999, 1000, "limit=100", "", 10, 1],
  [999_999, 1000, "limit=100&labelSelector=a", "", 10, 1],
  [999_999, 99, "continue=x", "", 2, 10],
  [999_999, 99, "continue=x&limit=10", "", 1, 2],
  [999_999, 99, "continue=x&limit=10&labelSelector=a", "", 2, 5],
  [999_999, 99, "resourceVersion=0", "", 1, 10],
  [9_999_999, 1000, "resourceVersion=5&resourceVersionMatch=Exact", "", 20, 100],
  [9_999_999, 1000, "resourceVersion=5&limit=100", "", 2, 10],
  [9_999_999, 1000, "continue=x&limit=100&labelSelector=a", "", 11, 50],
  [9_999_999, 1000, "", "", 10, 10],
  [9_999_999, 99, "continue=x&limit=10", "", 1, 11],
  [9_999_999, 99, "limit=10&labelSelector=a", "", 1, 10],
  [999_999_999, 1000, "continue=x", "one", 1, 10],
  [999_999_999, 1000, "", "one", 1, 10],
];

const context = (verb: string, query = "", over: object = {}) =>
  ({
    info: { verb, group: "", resource: "pods", subresource: "", namespace: "", name: "", ...over },
    query: createQuery(query),
  }) as unknown as Parameters<typeof estimateWork>[0];
const facts = (
  stats: { count: number; averageBytes: number } | undefined,
  listsBySize = true,
  watches = new WatchCounts(),
) => ({ statsOf: () => stats, watches, listsBySize, watchesAsLists: true });
const withWatches = (count: number): WatchCounts => {
  const watches = new WatchCounts();
  for (let each = 0; each < count; each++) watches.add({ group: "", resource: "pods", namespace: "", name: "" });
  return watches;
};

describe("what a request is thought to cost", () => {
  for (const [bytes, count, query, name, byCount, bySize] of lists)
    it(`${bytes} bytes in ${count} objects, ?${query}${name && ", one object"}: ${byCount} or ${bySize} seats`, () => {
      const stats = { count, averageBytes: Math.trunc(bytes / count) };
      expect(estimateWork(context("list", query, { name }), undefined, facts(stats, false)).initialSeats).toBe(
        Math.min(byCount, 10),
      );
      expect(estimateWork(context("list", query, { name }), undefined, facts(stats)).initialSeats).toBe(
        Math.min(bySize, 100),
      );
    });
  const large = { count: 1000, averageBytes: 10_000 };
  it("a level's limit caps it", () => expect(estimateWork(context("list"), 4, facts(large)).initialSeats).toBe(4));
  it("what is not kept here costs one seat", () =>
    expect(estimateWork(context("list"), 4, facts(undefined)).initialSeats).toBe(1));
  it("a watch costs as a list only if it begins with what is there", () =>
    expect(
      ["", "resourceVersion=0", "resourceVersion=7", "resourceVersion=7&sendInitialEvents=true"].map(
        (query) => estimateWork(context("watch", query), undefined, facts(large)).initialSeats,
      ),
    ).toEqual([10, 10, 1, 10]));
  it("a get costs one seat", () =>
    expect(estimateWork(context("get"), undefined, facts(large))).toEqual({
      initialSeats: 1,
      finalSeats: 0,
      additionalMs: 0,
    }));
  it("a write costs more from ten watches on, and longer beyond the cap", () => {
    const work = (watches: number, most?: number) =>
      estimateWork(context("create"), most, facts(large, true, withWatches(watches)));
    expect(work(9)).toEqual({ initialSeats: 1, finalSeats: 0, additionalMs: 0 });
    expect(work(25)).toEqual({ initialSeats: 1, finalSeats: 3, additionalMs: 5 });
    expect(work(25, 1)).toEqual({ initialSeats: 1, finalSeats: 1, additionalMs: 15 });
    expect(work(400)).toEqual({ initialSeats: 1, finalSeats: 10, additionalMs: 20 });
  });
  it("a token request makes no event", () => {
    const watches = withWatches(0);
    for (let each = 0; each < 50; each++)
      watches.add({ group: "", resource: "serviceaccounts", namespace: "", name: "" });
    expect(
      estimateWork(
        context("create", "", { resource: "serviceaccounts", subresource: "token" }),
        undefined,
        facts(large, true, watches),
      ).finalSeats,
    ).toBe(0);
  });
  it("watches count by what they watch, until they are over", () => {
    const watches = new WatchCounts();
    const pods = (namespace: string, name = "") => ({ group: "", resource: "pods", namespace, name });
    const forget = watches.add(pods(""));
    watches.add(pods("a"));
    watches.add(pods("a", "x"));
    watches.add(pods("b"));
    expect([
      watches.interestedIn(pods("a", "x")),
      watches.interestedIn(pods("a", "y")),
      watches.interestedIn(pods("b")),
    ]).toEqual([3, 2, 2]);
    forget();
    forget();
    expect(watches.interestedIn(pods("a", "x"))).toBe(2);
  });
});
