import type { PodSpec } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { mergeLabelKeys } from "./label-keys.js";

const labels = { a: "1", b: "2", ["__proto__"]: "3" };
const merged = (spec: Partial<PodSpec>, on = true): PodSpec => {
  const pod = { metadata: { labels }, spec: { containers: [], ...structuredClone(spec) } };
  mergeLabelKeys(pod, { enabled: () => on });
  return pod.spec;
};
const term = { topologyKey: "z", labelSelector: {}, matchLabelKeys: ["a", "missing"], mismatchLabelKeys: ["b"] };
const added = [
  { key: "a", operator: "In", values: ["1"] },
  { key: "b", operator: "NotIn", values: ["2"] },
];

describe("label keys become requirements", () => {
  it("of pods to be near", () =>
    expect(
      merged({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } }).affinity
        ?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.[0]?.labelSelector?.matchExpressions,
    ).toEqual(added));
  it("of pods to be far from, if only by preference", () => {
    const { affinity } = merged({
      affinity: {
        podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }] },
      },
    });
    expect(
      affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution?.[0]?.podAffinityTerm.labelSelector
        ?.matchExpressions,
    ).toEqual(added);
  });
  const spread = {
    maxSkew: 1,
    topologyKey: "z",
    whenUnsatisfiable: "DoNotSchedule" as const,
    labelSelector: {},
    matchLabelKeys: ["a"],
  };
  it("of pods to spread", () =>
    expect(merged({ topologySpreadConstraints: [spread] }).topologySpreadConstraints?.[0]?.labelSelector).toEqual({
      matchExpressions: [added[0]],
    }));
  it("unless that feature is off", () =>
    expect(merged({ topologySpreadConstraints: [spread] }, false).topologySpreadConstraints).toEqual([spread]));
  it("never without a selector", () => {
    const { labelSelector: _none, ...rest } = spread;
    expect(merged({ topologySpreadConstraints: [rest] }).topologySpreadConstraints).toEqual([rest]);
  });
});
