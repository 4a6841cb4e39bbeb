import { readFile, writeFile } from "node:fs/promises";
import type { ProxyConfig } from "../config/proxy-config.js";

/** Upstream's cap of a limit that grows with the number of cores. */
const maxEntries = 1_048_576;

/** Pure: the kernel settings that a configuration asks for, by their names below net.netfilter (pkg/proxy/conntrack/sysctls.go). */
export function planLimits(conntrack: ProxyConfig["conntrack"], cores: number): readonly (readonly [string, number])[] {
  const scaled = conntrack.maxPerCore * cores;
  const max = conntrack.maxPerCore === 0 ? 0 : scaled > maxEntries ? maxEntries : Math.max(scaled, conntrack.min);
  const seconds = (ms: number): number => Math.floor(ms / 1000);
  const wanted: readonly (readonly [string, number])[] = [
    ["nf_conntrack_max", max],
    ["nf_conntrack_tcp_timeout_established", seconds(conntrack.tcpEstablishedTimeoutMs)],
    ["nf_conntrack_tcp_timeout_close_wait", seconds(conntrack.tcpCloseWaitTimeoutMs)],
    ["nf_conntrack_tcp_be_liberal", conntrack.tcpBeLiberal ? 1 : 0],
    ["nf_conntrack_udp_timeout", seconds(conntrack.udpTimeoutMs)],
    ["nf_conntrack_udp_timeout_stream", seconds(conntrack.udpStreamTimeoutMs)],
  ];
  // Nothing asked for: the kernel's own value stays.
  return wanted.filter(([, value]) => value > 0);
}

/** Writes those that differ. Answers what could not be written: in a network namespace some belong to the machine. */
export async function setLimits(
  wanted: ReturnType<typeof planLimits>,
  folder = "/proc/sys/net/netfilter",
): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, value] of wanted) {
    const path = `${folder}/${name}`;
    try {
      if (Number((await readFile(path, "utf8")).trim()) !== value) await writeFile(path, String(value));
    } catch (error) {
      problems.push(`${name}=${value}: ${(error as Error).message}`);
    }
  }
  return problems;
}
