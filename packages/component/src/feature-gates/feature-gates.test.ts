import { describe, expect, it } from "vitest";
import { createFeatureGates, type GateFacts } from "./feature-gates.js";

const gate = (name: string, stage: GateFacts["stage"], on: boolean, over: Partial<GateFacts> = {}): GateFacts => ({
  name,
  stage,
  default: on,
  locked: false,
  requires: [],
  ...over,
});
const known = [
  gate("Old", "GA", true, { locked: true }),
  gate("New", "Alpha", false),
  gate("Newer", "Alpha", false, { requires: ["Late"] }),
  gate("Late", "Beta", false),
  gate("Soon", "Beta", true),
];
const state = (text: string): string => {
  const gates = createFeatureGates(
    known,
    new Map(text === "" ? [] : text.split(",").map((pair) => pair.split("=") as [string, string])),
  );
  return known
    .filter(({ name }) => gates.enabled(name))
    .map(({ name }) => name)
    .join();
};

describe("feature gates", () => {
  const cases = [
    { name: "as they are by default", text: "", on: "Old,Soon" },
    { name: "one switched on, one off", text: "New=true,Soon=false", on: "Old,New" },
    { name: "all of a stage", text: "AllBeta=true", on: "Old,Late,Soon" },
    { name: "all of a stage but one", text: "AllBeta=true,Late=false", on: "Old,Soon" },
    { name: "a locked one set to what it is", text: "Old=true", on: "Old,Soon" },
  ];
  for (const { name, text, on } of cases) it(name, () => expect(state(text)).toBe(on));

  const refused = [
    { text: "Other=true", why: "unrecognized feature gate: Other" },
    { text: "Old=false", why: "cannot set feature gate Old to false, feature is locked to true" },
    { text: "New=maybe", why: "invalid value of New=maybe" },
    { text: "Newer=true", why: "Newer is enabled, but depends on features that are disabled: Late" },
  ];
  for (const { text, why } of refused) it(`${text} is refused`, () => expect(() => state(text)).toThrow(why));
  it("a gate nobody knows is off", () => expect(createFeatureGates(known).enabled("Nothing")).toBe(false));
});
