import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseOnlyFlags } from "@coxswain/component/flags";
import type { ProxyConfig } from "@coxswain/proxy";
import { afterAll, describe, expect, it } from "vitest";
import { proxyFlags } from "./proxy-flags.js";
import { settingsFrom } from "./proxy-settings.js";

describe("settings of the proxy", () => {
  const folder = mkdtempSync(join(tmpdir(), "proxy-settings-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const settings = (...args: string[]): ProxyConfig => {
    const parsed = parseOnlyFlags(proxyFlags, args);
    if (parsed.kind === "help") throw new Error("no help was asked for");
    return settingsFrom(parsed.options);
  };
  const file = (text: string): string => {
    const path = join(folder, "config.yaml");
    writeFileSync(path, `apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n${text}\n`);
    return `--config=${path}`;
  };

  it("flags have the defaults of kube-proxy's nftables mode", () =>
    expect(settings()).toMatchObject({
      healthzBindAddress: "0.0.0.0:10256",
      nodePortAddresses: ["primary"],
      detectLocalMode: "ClusterCIDR",
      conntrack: { maxPerCore: 32_768, tcpEstablishedTimeoutMs: 86_400_000 },
    }));

  it("flags are followed under kube-proxy's names", () =>
    expect(
      settings(
        "--cluster-cidr=10.0.0.0/8",
        "--masquerade-all",
        "--conntrack-udp-timeout=5s",
        "--nodeport-addresses=10.0.0.0/8,fd00::/8",
      ),
    ).toMatchObject({
      clusterCidrs: ["10.0.0.0/8"],
      nftables: { masqueradeAll: true },
      conntrack: { udpTimeoutMs: 5_000 },
      nodePortAddresses: ["10.0.0.0/8", "fd00::/8"],
    }));

  it("a file wins over flags, but for the node's name", () =>
    expect(
      settings(
        file("hostnameOverride: a\nclusterCIDR: 10.0.0.0/8"),
        "--cluster-cidr=11.0.0.0/8",
        "--hostname-override=b",
      ),
    ).toMatchObject({ hostnameOverride: "b", clusterCidrs: ["10.0.0.0/8"] }));

  it("what is refused names the file", () =>
    expect(() => settings(file("mode: ipvs"))).toThrow(/config\.yaml: mode: ipvs is not supported/));

  it("other modes are refused by flag, too", () =>
    expect(() => settings("--proxy-mode=iptables")).toThrow(/mode: iptables is not supported/));

  it("feature gates that nobody knows are refused", () =>
    expect(() => settings(file("featureGates: {Nonsense: true}"))).toThrow(/Nonsense/));
});
