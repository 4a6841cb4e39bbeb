import { describe, expect, it } from "vitest";
import { cniConfig } from "./cni-config.js";
import { containerdConfig, parseContainerdVersion } from "./containerd-config.js";
import { kubeletConfig } from "./kubelet-config.js";
import { planMirrors } from "./registry-mirrors.js";

describe("configuration of a node's programs", () => {
  const containerd = {
    cniFolder: "/etc/x/cni",
    cniPrograms: ["/opt/cni/bin"],
    hostsFolder: "/etc/x/registries",
    pauseImage: "registry.k8s.io/pause:1",
  };
  for (const [majorVersion, form] of [
    [1, "version = 2"],
    [2, "version = 3"],
  ] as const)
    it(`of containerd ${majorVersion} has the form that it reads`, () => {
      const text = containerdConfig({ ...containerd, majorVersion, mayLowerOomScores: false });
      expect(text.startsWith(`${form}\n`)).toBe(true);
      for (const fact of Object.values(containerd).flat()) expect(text).toContain(JSON.stringify(fact));
      expect(text).toContain("restrict_oom_score_adj = true");
    });

  const versions = [
    { output: "containerd github.com/containerd/containerd 1.6.20~ds1 1.6.20~ds1-1+deb12u1", major: 1 },
    { output: "containerd github.com/containerd/containerd/v2 v2.0.5 fb4c30d", major: 2 },
    { output: "containerd containerd.io 1.7.27 05044ec", major: 1 },
    { output: "", major: undefined },
  ];
  for (const { output, major } of versions)
    it(`reads the version of "${output}"`, () => expect(parseContainerdVersion(output)).toBe(major));

  it("of registries has a folder per mirror, and leads to those of the others", () => {
    const steps = planMirrors(
      "/r",
      [{ registry: "docker.io", urls: ["https://m:5000"] }],
      [
        { registry: "docker.io", path: "/etc/containerd/certs.d/docker.io" },
        { registry: "quay.io", path: "/etc/containerd/certs.d/quay.io" },
      ],
    );
    expect(steps.slice(1)).toEqual([
      { kind: "directory", path: "/r/docker.io" },
      expect.objectContaining({ path: "/r/docker.io/hosts.toml", content: expect.stringContaining("https://m:5000") }),
      { kind: "run", command: ["ln", "-s", "/etc/containerd/certs.d/quay.io", "/r/quay.io"] },
    ]);
  });

  it("of the kubelet keeps all pods below the machine's control group", () => {
    const facts = { clientCa: "/ca", certificate: "/c", key: "/key", resolvConf: "/resolv.conf", address: "10.0.0.11" };
    const text = kubeletConfig({ ...facts, cgroup: "coxswain-1/n1", dnsService: "10.96.0.10" });
    expect(JSON.parse(text)).toMatchObject({ cgroupRoot: "/coxswain-1/n1", cgroupDriver: "cgroupfs" });
  });

  it("of pods' networks is that of the node's ranges", () => {
    const { plugins } = JSON.parse(cniConfig(["10.244.3.0/24", "fd00::/64"]));
    expect(plugins[0].ipam).toMatchObject({
      ranges: [[{ subnet: "10.244.3.0/24" }], [{ subnet: "fd00::/64" }]],
      routes: [{ dst: "0.0.0.0/0" }, { dst: "::/0" }],
    });
  });
});
