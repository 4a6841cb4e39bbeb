import type { PodSpec } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { dropDisabledPodSpecFields } from "./disabled-fields.js";

const withSignal = (lifecycle: object = {}): PodSpec => ({
  containers: [{ name: "c", lifecycle: { stopSignal: "SIGTERM", ...lifecycle } }],
});
const withRules = (): PodSpec => ({
  containers: [{ name: "c", restartPolicy: "Never", restartPolicyRules: [{ action: "Restart" }] }],
  initContainers: [
    { name: "s", restartPolicy: "Always" },
    { name: "i", restartPolicy: "Never" },
  ],
});
const withCertificate = (): PodSpec => ({
  containers: [],
  volumes: [{ name: "v", projected: { sources: [{ podCertificate: { signerName: "a.b/c", keyType: "ED25519" } }] } }],
});

describe("features that are off", () => {
  const cases: { name: string; spec: PodSpec; old?: PodSpec; left: object }[] = [
    { name: "a lifecycle of a stop signal alone goes", spec: withSignal(), left: { containers: [{ name: "c" }] } },
    {
      name: "another keeps the rest",
      spec: withSignal({ preStop: { sleep: { seconds: 1 } } }),
      left: { containers: [{ name: "c", lifecycle: { preStop: { sleep: { seconds: 1 } } } }] },
    },
    { name: "what is stored may stay", spec: withSignal(), old: withSignal(), left: withSignal() },
    {
      name: "of restart policies only a sidecar's is left",
      spec: withRules(),
      left: { containers: [{ name: "c" }], initContainers: [{ name: "s", restartPolicy: "Always" }, { name: "i" }] },
    },
    { name: "stored rules stay", spec: withRules(), old: withRules(), left: withRules() },
    {
      name: "a certificate",
      spec: withCertificate(),
      left: { containers: [], volumes: [{ name: "v", projected: { sources: [{}] } }] },
    },
  ];
  for (const { name, spec, old, left } of cases) {
    it(name, () => {
      dropDisabledPodSpecFields(spec, old, { enabled: () => false });
      expect(spec).toEqual(left);
    });
  }
  it("nothing is dropped while they are on", () => {
    const spec = { ...withSignal(), ...withRules(), ...withCertificate() };
    dropDisabledPodSpecFields(spec, undefined, { enabled: () => true });
    expect(spec).toEqual({ ...withSignal(), ...withRules(), ...withCertificate() });
  });
});
