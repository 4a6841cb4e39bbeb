import { describe, expect, it } from "vitest";
import { append, largest, smallest } from "./index.js";

describe("lists that clients make long", () => {
  const many = Array.from({ length: 500_000 }, (_, at) => at);

  it("are appended whole", () => {
    const list = [-1];
    append(list, many);
    expect([list.length, list[0], list.at(-1)]).toEqual([500_001, -1, 499_999]);
  });

  it("have a largest and a smallest number", () => {
    expect([largest(many), smallest(many), largest([], 7), smallest([], 7)]).toEqual([499_999, 0, 7, 7]);
  });
});
