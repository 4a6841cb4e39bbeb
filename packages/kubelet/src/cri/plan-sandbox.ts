import { amountOf } from "@coxswain/api/pods";
import { getOwn } from "@coxswain/apimachinery/own";
import type { Encodable } from "@coxswain/wire/protobuf";
import { type PodSandboxConfig as CriSandbox, type PortMapping, Protocol } from "../gen/cri.js";
import { podLogDirectory } from "../logs/log-path.js";
import type { KubeletPaths } from "../machine/pod-directories.js";
import {
  type CachedContainer,
  type CachedPod,
  containersOf,
  nameOf,
  namespaceOf,
  uidOf,
} from "../objects/cached-pod.js";
import { quotaOf, sharesOf } from "../pod/cpu-shares.js";
import type { PodSandboxConfig } from "../runtime/container-runtime.js";
import { nodeAnnotation, podAnnotations, podLabels } from "./labels.js";
import { type DnsFacts, planDns } from "./plan-dns.js";
import { kernelHostname, planHost } from "./plan-hosts.js";
import type { LinuxResources } from "./plan-resources.js";
import { planSandboxSecurity } from "./plan-security.js";

export interface SandboxFacts {
  readonly paths: KubeletPaths;
  readonly dns: DnsFacts;
  /** Whose the sandbox is: only its own node removes what no pod has any more. */
  readonly nodeName: string;
}

/** Pure: a pod's configuration for the runtime. Upstream's `kuberuntime_sandbox.go`, `generatePodSandboxConfig`. @throws ConfigError */
export function planSandbox(
  { pod, attempt, cgroupParent, userNamespace }: Omit<PodSandboxConfig, "runtimeHandler">,
  { paths, dns, nodeName }: SandboxFacts,
): Encodable<typeof CriSandbox> {
  const { servers, searches, options } = planDns(pod, dns);
  const portMappings = containersOf(pod).flatMap(portMappingsOf);
  return {
    metadata: { name: nameOf(pod), uid: uidOf(pod), namespace: namespaceOf(pod), attempt },
    ...(!pod.spec?.hostNetwork && { hostname: kernelHostname(pod, planHost(pod, dns.clusterDomain)) }),
    logDirectory: podLogDirectory(paths.podLogsDir, pod),
    dnsConfig: { servers, searches, options },
    portMappings,
    labels: podLabels(pod),
    annotations: podAnnotations(pod).set(nodeAnnotation, nodeName),
    linux: {
      cgroupParent,
      securityContext: planSandboxSecurity({ pod, userNamespace }),
      sysctls: new Map((pod.spec?.securityContext?.sysctls ?? []).map(({ name, value }) => [name, value])),
      overhead: overheadOf(pod),
      resources: sandboxResources(pod),
    },
  };
}

const protocols: Readonly<Record<string, number>> = Protocol;

/** Of ports with the same name, or the same numbers, the first counts. Upstream's `pkg/kubelet/container`, `MakePortMappings`. */
function portMappingsOf({ ports = [] }: CachedContainer): Encodable<typeof PortMapping>[] {
  const names = new Set<string>();
  return ports.flatMap(({ name, containerPort, hostPort = 0, hostIP = "", protocol = "TCP" }) => {
    const family = hostIP === "" ? "any" : hostIP.includes(":") ? "v6" : "v4";
    const key = name || `${family}-${protocol}-${hostIP}:${containerPort}:${hostPort}`;
    if (names.has(key)) return [];
    names.add(key);
    return [{ protocol: protocols[protocol] ?? Protocol.TCP, containerPort, hostPort, hostIp: hostIP }];
  });
}

/** What running the pod costs besides its containers, by its RuntimeClass. */
function overheadOf({ spec }: CachedPod): LinuxResources {
  return linuxResources(getOwn(spec?.overhead, "cpu"), getOwn(spec?.overhead, "cpu"), getOwn(spec?.overhead, "memory"));
}

/** The sum of the containers' requests and limits; a limit only where each of them has one. */
function sandboxResources(pod: CachedPod): LinuxResources {
  const sum = (of: (container: CachedContainer) => string | undefined, resource: string): number | undefined => {
    const all = containersOf(pod).map(of);
    return all.some((text) => text === undefined)
      ? undefined
      : all.reduce((total, text) => total + amountOf(resource, text as string), 0);
  };
  const requested = containersOf(pod).reduce(
    (total, { resources }) => total + amountOf("cpu", getOwn(resources?.requests, "cpu") ?? "0"),
    0,
  );
  const cpu = sum(({ resources }) => getOwn(resources?.limits, "cpu"), "cpu");
  const memory = sum(({ resources }) => getOwn(resources?.limits, "memory"), "memory");
  return linuxResources(
    `${requested}m`,
    cpu === undefined ? undefined : `${cpu}m`,
    memory === undefined ? undefined : String(memory),
  );
}

function linuxResources(
  request: string | undefined,
  limit: string | undefined,
  memory: string | undefined,
): LinuxResources {
  const quota = limit === undefined ? 0 : quotaOf(Math.ceil(amountOf("cpu", limit)));
  return {
    cpuShares: sharesOf(request === undefined ? 0 : Math.ceil(amountOf("cpu", request))),
    ...(quota > 0 && { cpuQuota: quota, cpuPeriod: 100_000 }),
    ...(memory !== undefined && { memoryLimitInBytes: Math.ceil(amountOf("memory", memory)) }),
  };
}
