import { describe, expect, it } from "vitest";
import { kubeletRules, parseKubeletConfig } from "./kubelet-config.js";

const head = "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n";
const refused: { name: string; text: string; message: string }[] = [
  {
    name: "another kind",
    text: "apiVersion: v1\nkind: Pod",
    message: "expected a KubeletConfiguration of kubelet.config.k8s.io/v1beta1, found Pod of v1",
  },
  {
    name: "members that nodes do not follow",
    text: `${head}cgroupDriver: systemd`,
    message: "simulated nodes do not follow cgroupDriver;",
  },
  {
    name: "thresholds",
    text: `${head}evictionHard: { cpu.available: "1" }`,
    message: "unsupported eviction signal cpu.available",
  },
  {
    name: "a transition period that is none",
    text: `${head}evictionPressureTransitionPeriod: soon`,
    message: 'evictionPressureTransitionPeriod: "soon" is no duration',
  },
  {
    name: "a period of manifests that is none",
    text: `${head}staticPodPath: /m\nfileCheckFrequency: 0s`,
    message: '"0s" is no period',
  },
];

describe("a KubeletConfiguration", () => {
  it("is read", () =>
    expect(
      kubeletRules(
        parseKubeletConfig(
          `${head}evictionHard: { memory.available: 5% }\nevictionPressureTransitionPeriod: 30s\nimageGCHighThresholdPercent: 90`,
        ),
      ),
    ).toMatchObject({
      eviction: { transitionMs: 30_000, maxPodGraceSeconds: 0 },
      images: { highPercent: 90, lowPercent: 80 },
    }));
  for (const { name, text, message } of refused)
    it(`is refused for ${name}`, () => expect(() => parseKubeletConfig(text)).toThrow(message));
});
