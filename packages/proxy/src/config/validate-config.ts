import { readAddress, readNetwork } from "../addresses/family.js";
import { splitHostPort } from "./complete-config.js";
import { detectLocalModes, type ProxyConfig } from "./proxy-config.js";

type Errors = string[];
const root = "KubeProxyConfiguration";

/** Pure: what is wrong, in upstream's words (pkg/proxy/apis/config/validation/validation.go). */
export function validateConfig(config: ProxyConfig): readonly string[] {
  const errors: Errors = [];
  const { nftables, conntrack, oomScoreAdj } = config;
  if (nftables.masqueradeBit < 0 || nftables.masqueradeBit > 31)
    errors.push(
      invalid(
        "KubeProxyNFTablesConfiguration.MasqueradeBit",
        nftables.masqueradeBit,
        "must be within the range [0, 31]",
      ),
    );
  for (const [name, value] of [
    ["MaxPerCore", conntrack.maxPerCore],
    ["Min", conntrack.min],
    ["TCPEstablishedTimeout", conntrack.tcpEstablishedTimeoutMs],
    ["TCPCloseWaitTimeout", conntrack.tcpCloseWaitTimeoutMs],
    ["UDPTimeout", conntrack.udpTimeoutMs],
    ["UDPStreamTimeout", conntrack.udpStreamTimeoutMs],
  ] as const)
    if (value < 0)
      errors.push(
        invalid(
          `KubeProxyLinuxConfiguration.KubeProxyConntrackConfiguration.${name}`,
          value,
          "must be greater than or equal to 0",
        ),
      );
  if (oomScoreAdj < -1000 || oomScoreAdj > 1000)
    errors.push(
      invalid("KubeProxyLinuxConfiguration.OOMScoreAdj", oomScoreAdj, "must be within the range [-1000, 1000]"),
    );
  if (nftables.minSyncPeriodMs > nftables.syncPeriodMs)
    errors.push(
      invalid("SyncPeriod", nftables.minSyncPeriodMs, `must be greater than or equal to ${root}.MinSyncPeriod`),
    );
  if (readAddress(config.bindAddress) === undefined)
    errors.push(invalid("BindAddress", config.bindAddress, "not a valid textual representation of an IP address"));
  validateHostPort("HealthzBindAddress", config.healthzBindAddress, errors);
  validateHostPort("MetricsBindAddress", config.metricsBindAddress, errors);
  validateNodePortAddresses(config.nodePortAddresses, errors);
  validateDetectLocal(config, errors);
  return errors;
}

const invalid = (path: string, value: unknown, detail: string): string =>
  `${root}.${path}: Invalid value: ${JSON.stringify(value)}: ${detail}`;

function validateHostPort(path: string, text: string, errors: Errors): void {
  const found = splitHostPort(text);
  if (found === undefined) errors.push(invalid(path, text, "must be IP:port"));
  else {
    if (readAddress(found.host) === undefined) errors.push(invalid(path, found.host, "must be a valid IP"));
    if (found.port < 1 || found.port > 65_535) errors.push(invalid(path, String(found.port), "must be a valid port"));
  }
}

function validateNodePortAddresses(addresses: readonly string[], errors: Errors): void {
  for (const [at, text] of addresses.entries()) {
    if (text === "primary") {
      if (addresses.length !== 1)
        errors.push(invalid(`NodePortAddresses[${at}]`, text, "can't use both 'primary' and CIDRs"));
      return;
    }
    if (readNetwork(text) === undefined) errors.push(invalid(`NodePortAddresses[${at}]`, text, "must be a valid CIDR"));
  }
}

function validateDetectLocal({ detectLocalMode: mode, detectLocal, clusterCidrs }: ProxyConfig, errors: Errors): void {
  if (!detectLocalModes.includes(mode)) {
    const supported = detectLocalModes.map((one) => JSON.stringify(one)).join(", ");
    errors.push(`${root}.DetectLocalMode: Unsupported value: ${JSON.stringify(mode)}: supported values: ${supported}`);
  }
  const path = "DetectLocalConfiguration";
  if (mode === "BridgeInterface" && detectLocal.bridgeInterface === "")
    errors.push(invalid(`${path}.InterfaceName`, "", "must not be empty"));
  if (mode === "InterfaceNamePrefix" && detectLocal.interfaceNamePrefix === "")
    errors.push(invalid(`${path}.InterfacePrefix`, "", "must not be empty"));
  if (mode !== "ClusterCIDR" || clusterCidrs.length === 0) return;
  const pair = "must be a either a single CIDR or dual-stack pair of CIDRs (e.g. [10.100.0.0/16, fde4:8dba:82e1::/48]";
  const families = clusterCidrs.map((text) => readNetwork(text)?.family);
  if (clusterCidrs.length > 2) errors.push(invalid(`${path}.ClusterCIDRs`, clusterCidrs, pair));
  for (const [at, family] of families.slice(0, 2).entries())
    if (family === undefined)
      errors.push(
        invalid(
          `${path}.ClusterCIDRs[${at}]`,
          clusterCidrs[at],
          "must be a valid CIDR block (e.g. 10.100.0.0/16 or fde4:8dba:82e1::/48)",
        ),
      );
  if (families.length === 2 && families[0] !== undefined && families[0] === families[1])
    errors.push(invalid(`${path}.ClusterCIDRs`, clusterCidrs, pair));
}
