import { hostAddress } from "../records/go-address.js";
import type { PortRecord, Records, ServiceRecord } from "../records/records.js";
import { type ClusterZones, isReverse } from "./cluster-zones.js";
import { type NameParts, parseName } from "./parse-name.js";

/** A name that is asked for, within a zone of the server. */
export interface AskedName {
  /** In lower case. */
  readonly name: string;
  /** As it was asked, for the records of the answer. */
  readonly written: string;
  /** In lower case. */
  readonly zone: string;
  /** As it was asked. */
  readonly writtenZone: string;
}

export const askedName = (written: string, zone: string): AskedName => ({
  name: written.toLowerCase(),
  written,
  zone,
  writtenZone: written.slice(written.length - zone.length),
});

/** One thing that a name stands for: an address, which has a name of its own that SRV records point to, or another name. */
export type Host =
  | {
      readonly kind: "address";
      readonly type: "A" | "AAAA";
      readonly address: string;
      readonly target: string;
      readonly port: number;
    }
  | { readonly kind: "name"; readonly name: string };

/** What a name leads to: undefined when it does not exist, `empty` when there is nothing at it. */
export type Located =
  | { readonly kind: "empty" }
  | { readonly kind: "pod"; readonly host: Host }
  | { readonly kind: "service"; readonly service: ServiceRecord; readonly parts: NameParts };

/** As `Records` in `plugin/kubernetes/kubernetes.go` of CoreDNS. */
export function locate(asked: AskedName, records: Records, zones: ClusterZones): Located | undefined {
  const below = asked.name.slice(0, Math.max(0, asked.name.length - asked.zone.length - 1));
  const parsed = parseName(below);
  if (parsed.kind === "unknown") return undefined;
  if (parsed.kind === "apex") return { kind: "empty" };
  if (isReverse(asked.zone)) return undefined;
  const { parts } = parsed;
  if (!records.hasNamespace(parts.namespace)) return undefined;
  if (parts.under === "pod") return locatePod(parts, asked, zones);
  if (parts.service === "") return { kind: "empty" };
  const service = records.service(parts.namespace, parts.service);
  return service && { kind: "service", service, parts };
}

/** All that a name stands for; empty when it exists and has nothing; undefined when it does not exist. */
export function findHosts(asked: AskedName, records: Records, zones: ClusterZones): readonly Host[] | undefined {
  const located = locate(asked, records, zones);
  switch (located?.kind) {
    case undefined:
      return undefined;
    case "empty":
      return [];
    case "pod":
      return [located.host];
    case "service":
      return hostsOfService(located.service, located.parts, { asked, records });
  }
}

/** Whatever is in front of the pod's name is ignored, as there. */
function locatePod(
  { namespace, service: pod }: NameParts,
  asked: AskedName,
  { pods }: ClusterZones,
): Located | undefined {
  if (pods === "disabled") return undefined;
  if (pod === "") return { kind: "empty" };
  const isFour = pod.split("-").length === 4 && !pod.includes("--");
  const address = hostAddress(pod.replaceAll("-", isFour ? "." : ":"));
  const target = `${pod}.${namespace}.pod.${asked.writtenZone}`;
  return address && { kind: "pod", host: { kind: "address", ...address, target, port: 0 } };
}

/** Whether nothing is in front of the service's name. */
export const isPlain = ({ endpoint, port, protocol }: NameParts): boolean =>
  endpoint === "" && port === "" && protocol === "";

interface Lookup {
  readonly asked: AskedName;
  readonly records: Records;
}

function hostsOfService(service: ServiceRecord, parts: NameParts, { asked, records }: Lookup): Host[] | undefined {
  const target = `${service.name}.${service.namespace}.svc.${asked.writtenZone}`;
  if (service.kind === "external-name") {
    const isName = isPlain(parts) && service.externalName !== "" && hostAddress(service.externalName) === undefined;
    return isName ? [{ kind: "name", name: service.externalName }] : undefined;
  }
  const hosts: Host[] = [];
  if (service.kind === "headless" || parts.endpoint !== "") {
    for (const { endpoints, ports } of records.slices(service.namespace, service.name))
      for (const { type, address, hostname } of endpoints) {
        if (parts.endpoint !== "" && parts.endpoint !== hostname.toLowerCase()) continue;
        for (const port of ports)
          if (matches(port, parts))
            hosts.push({ kind: "address", type, address, target: `${hostname}.${target}`, port: port.port });
      }
    return hosts.length > 0 ? hosts : undefined;
  }
  const ports = service.ports.filter((port) => matches(port, parts));
  for (const { port } of ports)
    for (const { type, address } of service.clusterIps) hosts.push({ kind: "address", type, address, target, port });
  return ports.length > 0 ? hosts : undefined;
}

const matches = ({ name, protocol }: PortRecord, parts: NameParts): boolean =>
  (parts.port === "" || parts.port === name) && (parts.protocol === "" || parts.protocol === protocol);
