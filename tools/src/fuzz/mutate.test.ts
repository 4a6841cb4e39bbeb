import { createSeededRandom } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";
import { seed } from "./fuzz-target.js";
import { mutate } from "./mutate.js";

const options = (name: string) => ({
  random: createSeededRandom(name),
  others: [seed("other input")],
  words: [seed("word")],
  maxLength: 64,
});
const many = (name: string): string[] => {
  const shared = options(name);
  return Array.from({ length: 200 }, () => Buffer.from(mutate(seed("input 123"), shared)).toString("hex"));
};

describe("mutating inputs", () => {
  it("does the same for the same seed", () => expect(many("a")).toEqual(many("a")));
  it("does otherwise for another seed", () => expect(many("a")).not.toEqual(many("b")));
  it("makes many different inputs", () => expect(new Set(many("a")).size).toBeGreaterThan(150));
  it("is never longer than allowed, nor empty", () =>
    expect(many("a").every((hex) => hex.length > 0 && hex.length <= 128)).toBe(true));
  it("leaves its input as it is", () => {
    const input = seed("input");
    for (let times = 0; times < 100; times++) mutate(input, options(String(times)));
    expect(input).toEqual(seed("input"));
  });
});
