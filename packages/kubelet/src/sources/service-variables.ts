import type { Service } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { type CachedPod, namespaceOf } from "../objects/cached-pod.js";

type CachedService = DeepReadonly<Service>;

/** Services that every pod knows. Upstream's `masterServices`. */
const everywhere = { namespace: "default", name: "kubernetes" };

/**
 * Pure: where a pod finds the services of its namespace, and the API server. Upstream's `pkg/kubelet/kubelet_pods.go`,
 * `getServiceEnvVarMap`, and `pkg/kubelet/envvars/envvars.go`, `FromServices`.
 */
export function serviceVariables(pod: CachedPod, services: Iterable<CachedService>): Map<string, string> {
  const linksServices = pod.spec?.enableServiceLinks !== false;
  const chosen = new Map<string, CachedService>();
  for (const service of services) {
    const { name = "", namespace = "" } = service.metadata ?? {};
    const isEverywhere = namespace === everywhere.namespace && name === everywhere.name;
    const isOwn = linksServices && namespace === namespaceOf(pod);
    // One of the pod's own namespace hides the one that every pod knows.
    if (hasAddress(service) && (isOwn || (isEverywhere && !chosen.has(name)))) chosen.set(name, service);
  }
  const variables = new Map<string, string>();
  for (const service of chosen.values()) for (const [name, value] of variablesOf(service)) variables.set(name, value);
  return variables;
}

const hasAddress = ({ spec }: CachedService): boolean => !!spec?.clusterIP && spec.clusterIP !== "None";

function variablesOf({ metadata, spec }: CachedService): [string, string][] {
  const prefix = variableName(metadata?.name ?? "");
  const host = spec?.clusterIP ?? "";
  const ports = spec?.ports ?? [];
  const [first] = ports;
  if (!first) return [];
  const url = (protocol: string, port: number): string => `${protocol}://${joined(host, port)}`;
  const links = ports.flatMap(({ port, protocol = "TCP" }, index): [string, string][] => {
    const scheme = protocol.toLowerCase();
    const name = `${prefix}_PORT_${port}_${protocol.toUpperCase()}`;
    return [
      ...(index === 0 ? ([[`${prefix}_PORT`, url(scheme, port)]] as [string, string][]) : []),
      [name, url(scheme, port)],
      [`${name}_PROTO`, scheme],
      [`${name}_PORT`, String(port)],
      [`${name}_ADDR`, host],
    ];
  });
  return [
    [`${prefix}_SERVICE_HOST`, host],
    [`${prefix}_SERVICE_PORT`, String(first.port)],
    ...ports.flatMap(({ name, port }): [string, string][] =>
      name ? [[`${prefix}_SERVICE_PORT_${variableName(name)}`, String(port)]] : [],
    ),
    ...links,
  ];
}

const joined = (host: string, port: number): string => (host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`);

const variableName = (name: string): string => name.toUpperCase().replaceAll("-", "_");
