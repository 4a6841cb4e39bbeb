import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import { createFeatureGates } from "@coxswain/component/feature-gates";
import { describe, expect, it } from "vitest";
import { refuseUnsupportedGates } from "./unsupported-gates.js";

describe("gates of features that are not there", () => {
  const gate = "ManifestBasedAdmissionControlConfig";
  const start = (...wanted: [string, string][]): void => {
    const values = new Map(wanted);
    refuseUnsupportedGates(createFeatureGates(builtInFeatureGates, values), values);
  };
  const rows: { name: string; wanted: [string, string][]; error?: string }[] = [
    {
      name: "one that is switched on is refused",
      wanted: [[gate, "true"]],
      error: `feature gate ${gate} cannot be switched on: webhook configurations and policies are not read from files; create them through the API`,
    },
    { name: "one that is switched off is not", wanted: [[gate, "false"]] },
    { name: "one among all alpha features is left alone", wanted: [["AllAlpha", "true"]] },
  ];
  for (const { name, wanted, error } of rows)
    it(name, () =>
      error === undefined
        ? expect(() => start(...wanted)).not.toThrow()
        : expect(() => start(...wanted)).toThrow(error),
    );
});
