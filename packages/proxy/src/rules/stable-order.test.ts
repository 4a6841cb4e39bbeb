import { describe, expect, it } from "vitest";
import { stableOrder } from "./stable-order.js";

const rows = [
  { name: "a new list keeps its order", before: "", after: "a b c", order: "a b c" },
  { name: "something new goes to the end", before: "b a", after: "a b c", order: "b a c" },
  { name: "the last one takes the place of what went", before: "a b c d", after: "b c d", order: "d b c" },
  { name: "something new takes the place of what went", before: "a b c", after: "b c d", order: "d b c" },
  { name: "the last one may go itself", before: "a b c", after: "a b", order: "a b" },
  { name: "several may go", before: "a b c d e", after: "b d", order: "d b" },
  { name: "the last ones may go together with the first", before: "a b c d", after: "b", order: "b" },
  { name: "all may go", before: "a b", after: "", order: "" },
  { name: "all may be replaced", before: "a b", after: "c d e", order: "c d e" },
];

describe("a list that keeps its places", () => {
  const list = (text: string): string[] => text.split(" ").filter((part) => part !== "");
  for (const { name, before, after, order } of rows)
    it(name, () => expect(stableOrder(list(before), list(after)).join(" ")).toBe(order));
});
