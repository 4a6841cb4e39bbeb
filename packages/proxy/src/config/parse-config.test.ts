import { describe, expect, it } from "vitest";
import { splitHostPort, withPort } from "./complete-config.js";
import { parseProxyConfig } from "./parse-config.js";

const head = "apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n";

describe("KubeProxyConfiguration", () => {
  it("has upstream's defaults", () =>
    expect(parseProxyConfig(head)).toEqual({
      featureGates: {},
      clientConnection: { kubeconfig: "", qps: 5, burst: 10 },
      logging: { format: "text", verbosity: 0 },
      hostnameOverride: "",
      bindAddress: "0.0.0.0",
      healthzBindAddress: "0.0.0.0:10256",
      metricsBindAddress: "127.0.0.1:10249",
      bindAddressHardFail: false,
      enableProfiling: false,
      nftables: { masqueradeBit: 14, masqueradeAll: false, syncPeriodMs: 30_000, minSyncPeriodMs: 1_000 },
      detectLocalMode: "ClusterCIDR",
      detectLocal: { bridgeInterface: "", interfaceNamePrefix: "" },
      clusterCidrs: [],
      nodePortAddresses: ["primary"],
      oomScoreAdj: -999,
      conntrack: {
        maxPerCore: 32_768,
        min: 131_072,
        tcpEstablishedTimeoutMs: 86_400_000,
        tcpCloseWaitTimeoutMs: 3_600_000,
        tcpBeLiberal: false,
        udpTimeoutMs: 0,
        udpStreamTimeoutMs: 0,
      },
    }));

  it("is read as kubeadm writes it", () => {
    const config = parseProxyConfig(`${head}
bindAddress: "::"
clientConnection: {acceptContentTypes: "", burst: 0, contentType: "", kubeconfig: /var/lib/kube-proxy/kubeconfig.conf, qps: 0}
clusterCIDR: 10.244.0.0/16,fd00:244::/56
configSyncPeriod: 0s
conntrack: {maxPerCore: 0, min: null, tcpBeLiberal: true, tcpCloseWaitTimeout: null, tcpEstablishedTimeout: 0s, udpStreamTimeout: 5s, udpTimeout: 1m}
detectLocal: {bridgeInterface: "", interfaceNamePrefix: ""}
detectLocalMode: ClusterCIDR
healthzBindAddress: "[::]:10300"
hostnameOverride: "node-1"
iptables: {localhostNodePorts: null, masqueradeAll: false, masqueradeBit: null, minSyncPeriod: 0s, syncPeriod: 0s}
ipvs: {excludeCIDRs: null, minSyncPeriod: 0s, scheduler: "", strictARP: false, syncPeriod: 0s, tcpFinTimeout: 0s, tcpTimeout: 0s, udpTimeout: 0s}
logging: {flushFrequency: 0, options: {json: {infoBufferSize: "0"}, text: {infoBufferSize: "0"}}, verbosity: 4}
mode: nftables
nftables: {masqueradeAll: true, masqueradeBit: 3, minSyncPeriod: 2s, syncPeriod: 1m}
nodePortAddresses: [primary]
oomScoreAdj: null
portRange: ""
showHiddenMetricsForVersion: ""
winkernel: {enableDSR: false, forwardHealthCheckVip: false, networkName: "", rootHnsEndpointName: "", sourceVip: ""}
`);
    expect(config).toMatchObject({
      metricsBindAddress: "[::1]:10249",
      healthzBindAddress: "[::]:10300",
      clusterCidrs: ["10.244.0.0/16", "fd00:244::/56"],
      nftables: { masqueradeAll: true, masqueradeBit: 3, minSyncPeriodMs: 2_000, syncPeriodMs: 60_000 },
      conntrack: {
        maxPerCore: 0,
        min: 131_072,
        tcpEstablishedTimeoutMs: 0,
        udpTimeoutMs: 60_000,
        udpStreamTimeoutMs: 5_000,
      },
      clientConnection: { qps: 5, burst: 10 },
      logging: { verbosity: 4 },
      nodePortAddresses: ["primary"],
    });
  });

  const refused = [
    {
      name: "a member that nobody knows",
      yaml: "modes: nftables",
      error: /strict decoding error: unknown field "modes"/,
    },
    {
      name: "iptables",
      yaml: "mode: iptables",
      error: /mode: iptables is not supported: this proxy keeps services as elements of nftables maps/,
    },
    { name: "ipvs", yaml: "mode: ipvs", error: /mode: ipvs is not supported/ },
    { name: "another mode", yaml: "mode: userspace", error: /mode: "userspace" is unknown/ },
    { name: "Windows", yaml: "winkernel: {enableDSR: true}", error: /runs on Linux/ },
    { name: "hidden metrics", yaml: 'showHiddenMetricsForVersion: "1.35"', error: /no hidden metrics/ },
    {
      name: "vmodule",
      yaml: "logging: {vmodule: [{filePattern: a, verbosity: 1}]}",
      error: /logging.vmodule is not supported/,
    },
    {
      name: "a bit that is none",
      yaml: "nftables: {masqueradeBit: 32}",
      error: /MasqueradeBit: Invalid value: 32: must be within the range \[0, 31\]/,
    },
    {
      name: "a period below the least",
      yaml: "nftables: {minSyncPeriod: 1m, syncPeriod: 1s}",
      error: /SyncPeriod: Invalid value/,
    },
    {
      name: "an address that is none",
      yaml: "bindAddress: nowhere",
      error: /BindAddress: Invalid value: "nowhere": not a valid/,
    },
    {
      name: "a port that is none",
      yaml: 'healthzBindAddress: "0.0.0.0:0"',
      error: /HealthzBindAddress: Invalid value: "0": must be a valid port/,
    },
    {
      name: "a host that is none",
      yaml: 'metricsBindAddress: "localhost:1"',
      error: /MetricsBindAddress: Invalid value: "localhost": must be a valid IP/,
    },
    {
      name: "primary and networks",
      yaml: "nodePortAddresses: [primary, 10.0.0.0/8]",
      error: /can't use both 'primary' and CIDRs/,
    },
    {
      name: "a network that is none",
      yaml: "nodePortAddresses: [10.0.0.1]",
      error: /NodePortAddresses\[0\]: Invalid value: "10.0.0.1": must be a valid CIDR/,
    },
    {
      name: "a way to detect pods that is none",
      yaml: "detectLocalMode: Guess",
      error: /DetectLocalMode: Unsupported value: "Guess"/,
    },
    {
      name: "a bridge without a name",
      yaml: "detectLocalMode: BridgeInterface",
      error: /InterfaceName: Invalid value: "": must not be empty/,
    },
    {
      name: "two networks of one family",
      yaml: "detectLocalMode: ClusterCIDR\nclusterCIDR: 10.0.0.0/8,11.0.0.0/8",
      error: /dual-stack pair/,
    },
  ];
  for (const { name, yaml, error } of refused)
    it(`${name} is refused`, () => expect(() => parseProxyConfig(`${head}${yaml}\n`)).toThrow(error));

  it("another kind is refused", () =>
    expect(() => parseProxyConfig("apiVersion: v1\nkind: Pod\n")).toThrow(
      /no kind "Pod" is registered for version "v1"/,
    ));
});

describe("addresses with ports", () => {
  it("an address alone gets the port", () => {
    expect(withPort("0.0.0.0", 1)).toBe("0.0.0.0:1");
    expect(withPort("::", 1)).toBe("[::]:1");
    expect(withPort("[::]:7", 1)).toBe("[::]:7");
  });
  it("are taken apart", () => {
    expect(splitHostPort("[::1]:80")).toEqual({ host: "::1", port: 80 });
    expect(splitHostPort("1.2.3.4:80")).toEqual({ host: "1.2.3.4", port: 80 });
    expect(splitHostPort("::1")).toBeUndefined();
  });
});
