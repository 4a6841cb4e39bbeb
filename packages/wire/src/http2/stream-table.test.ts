import { describe, expect, it } from "vitest";
import { StreamTable } from "./stream-table.js";

describe("a connection's streams", () => {
  const cases = [
    { name: "are found by their ids", over: [], left: { 1: "a", 3: "b", 5: "c" } },
    { name: "the last is over", over: [5], left: { 1: "a", 3: "b" } },
    { name: "one is found where it was moved to", over: [1], left: { 3: "b", 5: "c" } },
    { name: "all are over", over: [3, 1, 5], left: {} },
    { name: "one that is over twice takes no other with it", over: [3, 3], left: { 1: "a", 5: "c" } },
  ];
  for (const { name, over, left } of cases)
    it(name, () => {
      const table = new StreamTable<string>();
      for (const [id, stream] of [
        [1, "a"],
        [3, "b"],
        [5, "c"],
      ] as const)
        table.set(id, stream);
      for (const id of over) table.delete(id);
      const found = Object.fromEntries(
        [1, 3, 5].map((id) => [id, table.get(id)]).filter(([, stream]) => stream !== undefined),
      );
      expect({ found, all: table.values().toSorted(), size: table.size }).toEqual({
        found: left,
        all: Object.values(left),
        size: Object.keys(left).length,
      });
    });

  it("who ends them one by one meets each", () => {
    const table = new StreamTable<number>();
    for (const id of [1, 3, 5]) table.set(id, id);
    const met: number[] = [];
    for (const stream of table.values()) {
      met.push(stream);
      table.delete(stream);
    }
    expect(met).toEqual([1, 3, 5]);
  });
});
