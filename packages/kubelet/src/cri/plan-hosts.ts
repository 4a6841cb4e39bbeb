import type { HostAlias } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { type CachedPod, nameOf, namespaceOf } from "../objects/cached-pod.js";
import { ConfigError } from "../runtime/container-runtime.js";

/** The kernel's limit for a host name. */
const maxHostname = 64;
/** Of one label of a domain. */
const maxLabel = 63;

export interface PodHost {
  readonly name: string;
  /** Empty: none. */
  readonly domain: string;
}

/** Pure: upstream's `pkg/kubelet/kubelet_pods.go`, `GeneratePodHostNameAndDomain`. @throws ConfigError */
export function planHost(pod: CachedPod, clusterDomain: string): PodHost {
  const { hostnameOverride, hostname, subdomain } = pod.spec ?? {};
  if (hostnameOverride !== undefined) return { name: truncate(pod, hostnameOverride), domain: "" };
  const domain = subdomain ? `${subdomain}.${namespaceOf(pod)}.svc.${clusterDomain}` : "";
  return { name: truncate(pod, hostname || nameOf(pod)), domain };
}

function truncate(pod: CachedPod, hostname: string): string {
  if (hostname.length <= maxLabel) return hostname;
  let kept = hostname.slice(0, maxLabel);
  while (kept.endsWith("-") || kept.endsWith(".")) kept = kept.slice(0, -1);
  if (kept === "") throw new ConfigError(`hostname for pod "${nameOf(pod)}" was invalid: "${hostname}"`);
  return kept;
}

/** Pure: what `uname -n` answers in the pod. Upstream's `pkg/kubelet/util/util.go`, `GetNodenameForKernel`. @throws ConfigError */
export function kernelHostname(pod: CachedPod, { name, domain }: PodHost): string {
  if (!pod.spec?.setHostnameAsFQDN || domain === "") return name;
  const whole = `${name}.${domain}`;
  if (whole.length > maxHostname)
    throw new ConfigError(
      `failed to construct FQDN from pod hostname and cluster domain, FQDN ${whole} is too long (${maxHostname} characters is the max, ${whole.length} characters requested)`,
    );
  return whole;
}

export interface HostsFacts {
  readonly podIPs: readonly string[];
  readonly host: PodHost;
  readonly aliases: readonly DeepReadonly<HostAlias>[];
}

/** Pure: /etc/hosts of a pod with a network of its own, as upstream writes it (pkg/kubelet/kubelet_pods.go, managedHostsFileContent). */
export function planHosts({ podIPs, host: { name, domain }, aliases }: HostsFacts): string {
  const own = podIPs.map((ip) => (domain === "" ? `${ip}\t${name}\n` : `${ip}\t${name}.${domain}\t${name}\n`));
  return `# Kubernetes-managed hosts file.
127.0.0.1\tlocalhost
::1\tlocalhost ip6-localhost ip6-loopback
fe00::0\tip6-localnet
fe00::0\tip6-mcastprefix
fe00::1\tip6-allnodes
fe00::2\tip6-allrouters
${own.join("")}${aliasLines(aliases)}`;
}

/** Pure: the same for a pod in the node's network. */
export const planNodeHosts = (ofNode: string, aliases: readonly DeepReadonly<HostAlias>[]): string =>
  `# Kubernetes-managed hosts file (host network).\n${ofNode}${aliasLines(aliases)}`;

const aliasLines = (aliases: readonly DeepReadonly<HostAlias>[]): string =>
  aliases.length === 0
    ? ""
    : `\n# Entries added by HostAliases.\n${aliases.map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join("\t")}\n`).join("")}`;
