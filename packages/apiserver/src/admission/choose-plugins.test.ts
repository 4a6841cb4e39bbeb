import { describe, expect, it } from "vitest";
import type { AdmissionPlugin } from "./admission.js";
import { choosePlugins } from "./choose-plugins.js";

const plugin = (name: string): AdmissionPlugin => ({ name, operations: ["CREATE"] });
const all = [plugin("A"), plugin("B"), plugin("C")];

describe("choosing plugins", () => {
  const cases = [
    { name: "those that are on by default", choice: {}, runs: ["A", "B"] },
    { name: "keeps the order, not that of the lists", choice: { enabled: ["C", "A"] }, runs: ["A", "B", "C"] },
    { name: "without those that are switched off", choice: { enabled: ["C"], disabled: ["A"] }, runs: ["B", "C"] },
  ];
  for (const { name, choice, runs } of cases)
    it(name, () => expect(choosePlugins(all, ["C"], choice).map((each) => each.name)).toEqual(runs));
  it("refuses names that it does not know", () =>
    expect(() => choosePlugins(all, [], { disabled: ["X"] })).toThrow('admission plugin "X" is unknown'));
  it("refuses to do both", () =>
    expect(() => choosePlugins(all, [], { enabled: ["A"], disabled: ["A"] })).toThrow("overlapped"));
});
