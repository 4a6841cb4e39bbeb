import type { PodDNSConfig } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { type CachedPod, describePod, namespaceOf } from "../objects/cached-pod.js";

/** What resolv.conf contains. */
export interface DnsConfig {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

export interface DnsFacts {
  /** Of the node; undefined: `resolvConf` is empty, and the node's resolver is not used. */
  readonly host: DnsConfig | undefined;
  readonly clusterDns: readonly string[];
  /** "cluster.local"; empty: no searches are added. */
  readonly clusterDomain: string;
}

/** What resolvers take. Upstream's `pkg/apis/core/validation`. */
const limits = { servers: 3, searches: 32, searchCharacters: 2048, domainCharacters: 253 };

export interface PlannedDns extends DnsConfig {
  /** Events about the pod: what was left out, what is missing. */
  readonly warnings: readonly { readonly reason: string; readonly message: string }[];
}

/** Pure: a pod's resolver, by its dnsPolicy and dnsConfig. Upstream's `pkg/kubelet/network/dns/dns.go`, `GetPodDNS`. */
export function planDns(pod: CachedPod, facts: DnsFacts): PlannedDns {
  const warnings: { reason: string; message: string }[] = [];
  const base = baseOf(pod, facts, (message) => warnings.push({ reason: "MissingClusterDNS", message }));
  const { dnsConfig } = pod.spec ?? {};
  const merged = dnsConfig ? withConfig(base, dnsConfig) : base;
  const form = (message: string): void => void warnings.push({ reason: "DNSConfigForming", message });
  return {
    ...merged,
    servers: fitServers(merged.servers, form),
    searches: fitSearches(merged.searches, form),
    warnings,
  };
}

function baseOf(pod: CachedPod, facts: DnsFacts, missing: (message: string) => void): DnsConfig {
  const policy = pod.spec?.dnsPolicy ?? "ClusterFirst";
  if (policy === "None") return { servers: [], searches: [], options: [] };
  const isCluster = policy === "ClusterFirstWithHostNet" || (policy === "ClusterFirst" && !pod.spec?.hostNetwork);
  if (isCluster && facts.clusterDns.length > 0)
    return {
      servers: facts.clusterDns,
      searches: clusterSearches(pod, facts),
      options: ["ndots:5"],
    };
  if (isCluster)
    missing(
      `pod: "${describePod(pod)}". kubelet does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. Falling back to "Default" policy.`,
    );
  return facts.host ?? { servers: ["127.0.0.1"], searches: ["."], options: [] };
}

function clusterSearches(pod: CachedPod, { host, clusterDomain }: DnsFacts): string[] {
  const ofHost = host?.searches ?? [];
  if (clusterDomain === "") return [...ofHost];
  return unique([`${namespaceOf(pod)}.svc.${clusterDomain}`, `svc.${clusterDomain}`, clusterDomain, ...ofHost]);
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

function withConfig(base: DnsConfig, config: DeepReadonly<PodDNSConfig>): DnsConfig {
  const options = new Map(base.options.map((option) => splitOption(option)));
  for (const { name = "", value = "" } of config.options ?? []) options.set(name, value);
  return {
    servers: unique([...base.servers, ...(config.nameservers ?? [])]),
    searches: unique([...base.searches, ...(config.searches ?? [])]),
    options: [...options].map(([name, value]) => (value === "" ? name : `${name}:${value}`)),
  };
}

function splitOption(option: string): [name: string, value: string] {
  const colon = option.indexOf(":");
  return colon < 0 ? [option, ""] : [option.slice(0, colon), option.slice(colon + 1)];
}

function fitServers(servers: readonly string[], warn: (message: string) => void): readonly string[] {
  if (servers.length <= limits.servers) return servers;
  const kept = servers.slice(0, limits.servers);
  warn(
    `Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: ${kept.join(" ")}`,
  );
  return kept;
}

function fitSearches(searches: readonly string[], warn: (message: string) => void): readonly string[] {
  const kept = searches
    .slice(0, limits.searches)
    .filter((domain) => Buffer.byteLength(domain) <= limits.domainCharacters);
  while (Buffer.byteLength(kept.join(" ")) > limits.searchCharacters) kept.pop();
  if (kept.length < searches.length)
    warn(
      `Search Line limits were exceeded, some search paths have been omitted, the applied search line is: ${kept.join(" ")}`,
    );
  return kept;
}

/** Pure: a resolv.conf. @throws Error for a nameserver line without an address */
export function parseResolvConf(text: string): DnsConfig {
  const servers: string[] = [];
  let searches: string[] = [];
  const options = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === undefined || word === "" || word.startsWith("#")) continue;
    if (word === "nameserver") {
      if (rest[0] === undefined) throw new Error("nameserver list is empty");
      servers.push(rest[0]);
    }
    if (word === "search")
      searches = rest.filter((domain) => domain !== ".").map((domain) => domain.replace(/\.$/, ""));
    if (word === "options") for (const option of rest) options.set(option.split(":")[0] ?? "", option);
  }
  return { servers, searches, options: [...options.values()] };
}
