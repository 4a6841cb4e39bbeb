import { describe, expect, it } from "vitest";
import { WaitingWrites } from "./waiting-writes.js";

const cases = [
  { name: "in the order they came", waiting: ["a", "b", "c"], most: 8, batches: ["a b c"] },
  { name: "urgent ones first", waiting: ["a", "b", "c!", "d!"], most: 8, batches: ["c! d! a b"] },
  {
    name: "while others wait, urgent ones take half of a batch",
    waiting: ["a", "b", "c", "u!", "v!", "w!", "x!"],
    most: 4,
    batches: ["u! v! a b", "w! x! c"],
  },
  {
    name: "urgent ones alone take all of it",
    waiting: ["u!", "v!", "w!", "x!", "y!"],
    most: 4,
    batches: ["u! v! w! x!", "y!"],
  },
  {
    name: "few others leave the rest to urgent ones",
    waiting: ["a", "u!", "v!", "w!", "x!"],
    most: 4,
    batches: ["u! v! w! a", "x!"],
  },
];

describe("the writes of the next batch", () => {
  for (const { name, waiting, most, batches } of cases)
    it(name, () => {
      const writes = new WaitingWrites<{ name: string; isUrgent: boolean }>();
      for (const each of waiting) writes.push({ name: each, isUrgent: each.endsWith("!") });
      const taken: string[] = [];
      while (writes.size > 0) taken.push(names(writes.take({ most, fits: () => true })));
      expect(taken).toEqual(batches);
    });

  it("end where one does not fit; what was put back comes first", () => {
    const writes = new WaitingWrites<{ name: string; isUrgent: boolean }>();
    for (const name of ["a", "b", "c"]) writes.push({ name, isUrgent: false });
    const first = writes.take({ most: 8, fits: ({ name }) => name !== "b" });
    expect(names(first)).toBe("a");
    writes.putBack(first);
    expect(names(writes.takeAll())).toBe("a b c");
    expect(writes.size).toBe(0);
  });
});

const names = (writes: readonly { readonly name: string }[]): string => writes.map(({ name }) => name).join(" ");
