import { describe, expect, it } from "vitest";
import { cniConfig, containerdConfig } from "./containerd-config.js";
import { kubeletConfig, kubeletFlags } from "./kubelet-config.js";

describe("configuration of a node's programs", () => {
  const containerd = {
    cniFolder: "/etc/x/cni",
    hostsFolder: "/etc/x/registries",
    pauseImage: "registry.k8s.io/pause:1",
  };
  for (const [version, form] of [
    ["debian", "version = 2"],
    ["2.4", "version = 3"],
  ] as const)
    it(`of containerd ${version} has the form that it reads`, () => {
      const text = containerdConfig({ ...containerd, version });
      expect(text.startsWith(`${form}\n`)).toBe(true);
      for (const fact of Object.values(containerd)) expect(text).toContain(fact);
    });

  const facts = {
    index: 1,
    kubeconfig: "/k",
    clientCa: "/ca",
    certificate: "/c",
    key: "/key",
    resolvConf: "/resolv.conf",
    cgroup: "coxswain-1-n1",
  };

  it("of the kubelet keeps all pods below the machine's control group", () =>
    expect(JSON.parse(kubeletConfig(facts))).toMatchObject({ cgroupRoot: "/coxswain-1-n1", cgroupDriver: "cgroupfs" }));

  it("names the runtime by a flag, which makes ours a real node", () =>
    expect(kubeletFlags(facts, "/kubelet.json")).toContain(
      "--container-runtime-endpoint=unix:///run/containerd/containerd.sock",
    ));

  it("of pods' networks is that of the node's range", () =>
    expect(cniConfig("10.244.3.0/24")).toContain('"ranges":[[{"subnet":"10.244.3.0/24"}]]'));
});
