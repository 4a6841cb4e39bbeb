import { describe, expect, it } from "vitest";
import { chooseSplit, splitFromNodes } from "./choose-split.js";

const cases = [
  { name: "auto, few nodes: one process", asked: "auto", nodes: 100, splits: false },
  { name: "auto, many nodes: several", asked: "auto", nodes: splitFromNodes, splits: true },
  { name: "auto, many nodes on one core: one process", asked: "auto", nodes: 5000, cores: 1, splits: false },
  { name: "auto, beside real nodes: one process", asked: "auto", nodes: 5000, isReal: true, splits: false },
  { name: "on: several, however few nodes there are", asked: "on", nodes: 3, cores: 1, splits: true },
  { name: "off: one, however many", asked: "off", nodes: 5000, splits: false },
];

describe("--split", () => {
  for (const { name, asked, nodes, cores = 2, isReal = false, splits } of cases)
    it(name, () => expect(chooseSplit(asked, { nodes, isReal, cores })).toBe(splits));

  it("on, with real nodes, is refused", () =>
    expect(() => chooseSplit("on", { nodes: 3, isReal: true, cores: 2 })).toThrow(
      "--split=on goes with simulated nodes",
    ));
});
