import type { PodSpec } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { setPodDefaults } from "./defaults.js";
import type { StoredPod } from "./stored.js";

const defaulted = (spec: Partial<PodSpec>, status = {}): StoredPod => {
  const pod = { metadata: {}, spec: { containers: [], ...spec }, status } as StoredPod;
  setPodDefaults(pod);
  return pod;
};

describe("defaults of a pod", () => {
  const requests = [
    {
      name: "requests are limits where there are none",
      resources: { limits: { cpu: "2", memory: "1Gi" }, requests: { cpu: "1" } },
      want: { cpu: "1", memory: "1Gi" },
    },
    { name: "no limits, no requests", resources: {}, want: undefined },
  ];
  for (const { name, resources, want } of requests) {
    it(name, () =>
      expect(defaulted({ containers: [{ name: "c", resources }] }).spec.containers[0]?.resources?.requests).toEqual(
        want,
      ),
    );
  }
  it("a pod asks for what its containers ask for, else for its limits", () => {
    const { spec } = defaulted({
      resources: { limits: { cpu: "4", memory: "4Gi" } },
      containers: [
        { name: "a", resources: { requests: { cpu: "1" } } },
        { name: "b", resources: { requests: { cpu: "500m" } } },
      ],
    });
    expect(spec.resources?.requests).toEqual({ cpu: "1500m", memory: "4Gi" });
  });
  it("huge pages of containers limit the pod", () => {
    const { spec } = defaulted({
      resources: { limits: { cpu: "1" } },
      containers: [{ name: "a", resources: { limits: { "hugepages-2Mi": "2Mi" } } }],
    });
    expect(spec.resources).toEqual({
      limits: { cpu: "1", "hugepages-2Mi": "2Mi" },
      requests: { cpu: "1", "hugepages-2Mi": "2Mi" },
    });
  });
  it("ports on the host's network are the host's", () =>
    expect(
      defaulted({ hostNetwork: true, containers: [{ name: "c", ports: [{ containerPort: 80 }] }] }).spec.containers[0]
        ?.ports,
    ).toEqual([{ containerPort: 80, hostPort: 80 }]));
  it("a negative grace period is one second", () =>
    expect(defaulted({ terminationGracePeriodSeconds: -9 }).spec.terminationGracePeriodSeconds).toBe(1));
  const addresses = [
    { name: "the single address makes the list", status: { podIP: "1.1.1.1" }, want: ["1.1.1.1", "1.1.1.1"] },
    {
      name: "the list makes the single address",
      status: { podIPs: [{ ip: "1.1.1.1" }] },
      want: ["1.1.1.1", "1.1.1.1"],
    },
    {
      name: "the single address wins",
      status: { podIP: "2.2.2.2", podIPs: [{ ip: "1.1.1.1" }, { ip: "::1" }] },
      want: ["2.2.2.2", "2.2.2.2"],
    },
  ];
  for (const { name, status, want } of addresses) {
    it(name, () => {
      const { podIP, podIPs = [] } = defaulted({}, status).status;
      expect([podIP, ...podIPs.map(({ ip }) => ip)]).toEqual(want);
    });
  }
});
