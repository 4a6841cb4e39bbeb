import { describe, expect, it } from "vitest";
import { builtInTypes } from "../tables/index.js";
import { builtInFeatureGates } from "./index.js";

const gates = new Map(builtInFeatureGates.map((gate) => [gate.name, gate]));
const stateOf = (name: string): string => {
  const gate = gates.get(name);
  return `${gate?.stage} ${gate?.default ? "on" : "off"}${gate?.locked ? " locked" : ""}`;
};

describe("the feature gates", () => {
  const cases = [
    ["InPlacePodVerticalScaling", "GA on locked"],
    ["MutatingAdmissionPolicy", "GA on"],
    ["MaxUnavailableStatefulSet", "Beta off"],
    ["CBORServingAndStorage", "Alpha off"],
    ["ConstrainedImpersonation", "Beta on"],
    ["WatchList", "Beta on"],
    ["DRADeviceTaints", "Beta on"],
    ["ClusterTrustBundle", "Beta off"],
    ["InOrderInformers", "GA on locked"],
  ] as const;
  for (const [name, state] of cases)
    it(`${name} is ${state}`, () => expect(stateOf(name)).toMatch(new RegExp(`^${state}`)));
  it("every gate has a stage", () => expect(builtInFeatureGates.filter((gate) => !gate.stage)).toEqual([]));
  it("every gate that another requires is known", () =>
    expect(builtInFeatureGates.flatMap((gate) => gate.requires).filter((name) => !gates.has(name))).toEqual([]));
  it("gates that fields name are known, but for those upstream has dropped", () => {
    const named = new Set(
      builtInTypes.names().flatMap((name) => builtInTypes.get(name).fields.flatMap((field) => field.gates)),
    );
    expect([...named].filter((name) => !gates.has(name)).sort()).toEqual([
      "CSIStorageCapacity",
      "PodCertificateProjection",
      "TopologyAwareHints",
    ]);
  });
});
