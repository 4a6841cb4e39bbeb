import { planDns } from "../cri/plan-dns.js";
import { planHosts, planNodeHosts } from "../cri/plan-hosts.js";
import { type CachedPod, namespaceOf } from "../objects/cached-pod.js";
import type { PodNetwork } from "./pod-network.js";

export interface NetworkFacts {
  readonly hostname: string;
  readonly ips: readonly string[];
  /** Undefined: there is no cluster's DNS. */
  readonly cluster: Pick<PodNetwork, "nameServer" | "domain"> | undefined;
}

/** What a simulated node itself has in its /etc/hosts. */
const nodeHosts = "127.0.0.1\tlocalhost\n";

/** Pure: /etc/hosts and /etc/resolv.conf of a simulated pod, as a kubelet makes them. */
export function planNetworkFiles(
  pod: CachedPod,
  { hostname, ips, cluster }: NetworkFacts,
): { hosts: string; resolvConf: string } {
  const aliases = pod.spec?.hostAliases ?? [];
  const { subdomain, hostNetwork, hostnameOverride } = pod.spec ?? {};
  const domain =
    subdomain && cluster && hostnameOverride === undefined
      ? `${subdomain}.${namespaceOf(pod)}.svc.${cluster.domain}`
      : "";
  const { servers, searches, options } = planDns(pod, {
    host: undefined,
    clusterDns: cluster ? [cluster.nameServer] : [],
    clusterDomain: cluster?.domain ?? "",
  });
  return {
    hosts: hostNetwork
      ? planNodeHosts(nodeHosts, aliases)
      : planHosts({ podIPs: ips, host: { name: hostname, domain }, aliases }),
    resolvConf: [
      line("search", searches),
      ...servers.map((server) => line("nameserver", [server])),
      line("options", options),
    ].join(""),
  };
}

const line = (word: string, values: readonly string[]): string =>
  values.length === 0 ? "" : `${word} ${values.join(" ")}\n`;
