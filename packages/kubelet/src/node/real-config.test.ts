import { describe, expect, it } from "vitest";
import { parseRealConfig, realRules } from "./real-config.js";

const head = "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n";

describe("a KubeletConfiguration of a real node", () => {
  it("is followed", () => {
    const config = parseRealConfig(
      `${head}clusterDNS: [10.96.0.10]\nclusterDomain: cluster.local\nmaxPods: 30\nruntimeRequestTimeout: 15m\ncpuCFSQuotaPeriod: 10ms\nevictionHard: {memory.available: 1Gi}\n`,
    );
    expect(config).toMatchObject({ clusterDNS: ["10.96.0.10"], maxPods: 30 });
    expect(realRules(config)).toMatchObject({ requestTimeoutMs: 900_000, quotaPeriod: 10_000, logMaxFiles: 5 });
  });
  it("names the authorities of client certificates, which a node may not read from the cluster", () =>
    expect(parseRealConfig(`${head}authentication: {x509: {clientCAFile: /ca.crt}}\n`)).toMatchObject({
      authentication: { x509: { clientCAFile: "/ca.crt" } },
    }));
  it("has upstream's defaults", () =>
    expect(realRules({})).toEqual({
      requestTimeoutMs: 120_000,
      maxParallelPulls: 1,
      quotaPeriod: 100_000,
      logMaxBytes: 10 * 1024 * 1024,
      logMaxFiles: 5,
      logMonitorMs: 10_000,
      idsPerPod: 65_536,
    }));
  it("lets images be pulled side by side where that is asked for", () => {
    expect(realRules({ serializeImagePulls: false }).maxParallelPulls).toBe(Number.POSITIVE_INFINITY);
    expect(realRules({ maxParallelImagePulls: 4 }).maxParallelPulls).toBe(4);
    expect(() => realRules({ serializeImagePulls: true, maxParallelImagePulls: 2 })).toThrow(/serializeImagePulls/);
    expect(() => realRules({ maxParallelImagePulls: 0 })).toThrow(/positive/);
  });
  it("may have members that make no difference, and values that are the only ones", () =>
    expect(() =>
      parseRealConfig(
        `${head}syncFrequency: 0s\ncgroupDriver: cgroupfs\nfailSwapOn: false\nmemorySwap: {}\ntopologyManagerPolicyOptions: {}\n`,
      ),
    ).not.toThrow());

  const refused = [
    { text: "maxPodz: 1", message: 'strict decoding error: unknown field "maxPodz"' },
    { text: "__proto__: 1", message: 'strict decoding error: unknown field "__proto__"' },
    {
      text: "cgroupDriver: systemd",
      message:
        'cgroupDriver is not followed (only "cgroupfs"): systemd is not supported yet, and containerd needs SystemdCgroup = false',
    },
    {
      text: "cpuManagerPolicy: static",
      message:
        'cpuManagerPolicy is not followed (only "none"): processors and memory are not assigned to containers exclusively',
    },
    {
      text: "memorySwap: {swapBehavior: LimitedSwap}",
      message:
        'memorySwap is not followed (only {"swapBehavior":""}, {"swapBehavior":"NoSwap"}): containers never use swap',
    },
    { text: "featureGates: {Nothing: true}", message: "unrecognized feature gate: Nothing" },
    {
      text: "featureGates: {KubeletPSI: false}",
      message: "featureGates.KubeletPSI is not followed (only true): features are as in 1.36 by default",
    },
    {
      text: "crashLoopBackOff: {maxContainerRestartPeriod: 10s}",
      message: "crashLoopBackOff is not followed: the back-off is upstream's default",
    },
    { text: "userNamespaces: {idsPerPod: 1000}", message: "userNamespaces.idsPerPod must be a multiple of 65536" },
    { text: "runtimeRequestTimeout: soon", message: 'runtimeRequestTimeout: "soon" is no duration' },
  ];
  for (const { text, message } of refused)
    it(`is refused with ${text}`, () => expect(() => parseRealConfig(head + text)).toThrow(message));
});
