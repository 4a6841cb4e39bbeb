import { parseDurationMs } from "@coxswain/apimachinery/time";
import { readAddress } from "../addresses/family.js";
import type { ConfigDocument } from "./config-types.js";
import type { DetectLocalMode, ProxyConfig } from "./proxy-config.js";

const healthzPort = 10_256;
const metricsPort = 10_249;

/**
 * Upstream's defaults (pkg/proxy/apis/config/v1alpha1/defaults.go, and `platformApplyDefaults` of cmd/kube-proxy/app/server_linux.go,
 * where nftables mode differs from the others): a period of nothing is the default one.
 */
export function completeConfig(document: ConfigDocument): ProxyConfig {
  const { clientConnection = {}, logging = {}, nftables = {}, detectLocal = {}, clusterCIDR = "" } = document;
  const bindAddress = document.bindAddress || "0.0.0.0";
  const isV4 = readAddress(bindAddress)?.family !== "IPv6";
  return {
    featureGates: document.featureGates ?? {},
    clientConnection: {
      kubeconfig: clientConnection.kubeconfig ?? "",
      qps: clientConnection.qps || 5,
      burst: clientConnection.burst || 10,
    },
    logging: { format: logging.format === "json" ? "json" : "text", verbosity: logging.verbosity ?? 0 },
    hostnameOverride: document.hostnameOverride ?? "",
    bindAddress,
    healthzBindAddress: withPort(document.healthzBindAddress || (isV4 ? "0.0.0.0" : "::"), healthzPort),
    metricsBindAddress: withPort(document.metricsBindAddress || (isV4 ? "127.0.0.1" : "::1"), metricsPort),
    bindAddressHardFail: document.bindAddressHardFail ?? false,
    enableProfiling: document.enableProfiling ?? false,
    nftables: {
      masqueradeBit: nftables.masqueradeBit ?? 14,
      masqueradeAll: nftables.masqueradeAll ?? false,
      syncPeriodMs: ms(nftables.syncPeriod) || 30_000,
      minSyncPeriodMs: ms(nftables.minSyncPeriod) || 1_000,
    },
    detectLocalMode: (document.detectLocalMode || "ClusterCIDR") as DetectLocalMode,
    detectLocal: {
      bridgeInterface: detectLocal.bridgeInterface ?? "",
      interfaceNamePrefix: detectLocal.interfaceNamePrefix ?? "",
    },
    clusterCidrs: clusterCIDR === "" ? [] : clusterCIDR.split(","),
    nodePortAddresses:
      (document.nodePortAddresses ?? []).length === 0 ? ["primary"] : (document.nodePortAddresses ?? []),
    oomScoreAdj: document.oomScoreAdj ?? -999,
    conntrack: completeConntrack(document.conntrack),
  };
}

const completeConntrack = (conntrack: ConfigDocument["conntrack"] = {}): ProxyConfig["conntrack"] => ({
  maxPerCore: conntrack.maxPerCore ?? 32 * 1024,
  min: conntrack.min ?? 128 * 1024,
  tcpEstablishedTimeoutMs:
    conntrack.tcpEstablishedTimeout === undefined ? 86_400_000 : ms(conntrack.tcpEstablishedTimeout),
  tcpCloseWaitTimeoutMs: conntrack.tcpCloseWaitTimeout === undefined ? 3_600_000 : ms(conntrack.tcpCloseWaitTimeout),
  tcpBeLiberal: conntrack.tcpBeLiberal ?? false,
  udpTimeoutMs: ms(conntrack.udpTimeout),
  udpStreamTimeoutMs: ms(conntrack.udpStreamTimeout),
});

const ms = (text: string | undefined): number => (text === undefined ? 0 : (parseDurationMs(text) ?? 0));

/** As upstream's `AppendPortIfNeeded` (pkg/proxy/util/utils.go): an address alone gets the default port. */
export function withPort(text: string, port: number): string {
  if (readAddress(text) === undefined) return text;
  return text.includes(":") ? `[${text}]:${port}` : `${text}:${port}`;
}

/** "0.0.0.0:10256" or "[::]:10256". */
export function splitHostPort(text: string): { readonly host: string; readonly port: number } | undefined {
  const found = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d{1,5})$/.exec(text);
  if (found === null) return undefined;
  return { host: found[1] ?? found[2] ?? "", port: Number(found[3]) };
}
