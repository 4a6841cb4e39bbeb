import { describe, expect, it } from "vitest";
import { isSuperLinear, type Measured } from "./growth.js";
import { countNativeWork } from "./native-work.js";

const measure = (work: (n: number) => number): Measured => [work(64), work(128), work(256), work(512)];

describe("the growth of work", () => {
  const cases = [
    { name: "constant", work: () => 1000, isSuper: false },
    { name: "linear", work: (n: number) => 5000 + 30 * n, isSuper: false },
    { name: "n log n", work: (n: number) => 20 * n * Math.log2(n), isSuper: false },
    { name: "quadratic beside much that is done once", work: (n: number) => 100_000 + 300 * n + n * n, isSuper: true },
    {
      name: "another way from some size on",
      work: (n: number) => (n < 200 ? 60_000 + n : 7_000 + 20 * n),
      isSuper: false,
    },
    { name: "quadratic, but less than the input", work: (n: number) => (n * n) / 1000, isSuper: false },
  ];
  for (const { name, work, isSuper } of cases)
    it(`${name}: ${isSuper ? "too much" : "fine"}`, () => expect(isSuperLinear(measure(work), 256)).toBe(isSuper));
});

describe("work of built-in functions", () => {
  const inLoop = (n: number): number => {
    const native = countNativeWork();
    const list: number[] = [];
    for (let at = 0; at < n; at++) if (!list.includes(-1)) list.push(at);
    const work = native.take();
    native.stop();
    return work;
  };
  it("a search in a loop is quadratic", () => expect(isSuperLinear(measure(inLoop), 256)).toBe(true));
  it("everything is as before afterwards", () => {
    const { includes } = Array.prototype;
    countNativeWork().stop();
    expect(Array.prototype.includes).toBe(includes);
  });
});
