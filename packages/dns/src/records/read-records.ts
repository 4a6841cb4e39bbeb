import type { Service } from "@coxswain/api/core/v1";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { getOwn } from "@coxswain/apimachinery/own";
import { checkName, DnsError, trimRoot } from "@coxswain/wire/dns";
import { hostAddress } from "./go-address.js";
import type { EndpointRecord, PortRecord, ServiceRecord, SliceRecord } from "./records.js";

/** As `plugin/kubernetes/object/service.go` and `endpoint.go` of CoreDNS. */
const noPorts: readonly PortRecord[] = [{ port: -1, name: "", protocol: "" }];

const serviceNameLabel = "kubernetes.io/service-name";

export function readService({ metadata, spec }: DeepReadonly<Service>): ServiceRecord {
  const clusterIps = spec?.clusterIPs?.length ? spec.clusterIPs : [spec?.clusterIP ?? ""];
  const isHeadless = clusterIps[0] === "None";
  return {
    namespace: metadata?.namespace ?? "",
    name: metadata?.name ?? "",
    kind: spec?.type === "ExternalName" ? "external-name" : isHeadless ? "headless" : "cluster-ip",
    clusterIps: clusterIps.flatMap((text) => hostAddress(text) ?? []),
    externalName: spec?.type === "ExternalName" ? externalNameOf(spec.externalName ?? "") : "",
    ports: readPorts(spec?.ports),
  };
}

/** Empty for what is no name in DNS: the API allows labels of more than 63 characters. */
function externalNameOf(text: string): string {
  const name = trimRoot(text);
  try {
    checkName(name);
    return name;
  } catch (error) {
    if (error instanceof DnsError) return "";
    throw error;
  }
}

/** Undefined for slices that belong to no service, and for names in place of addresses (a deprecated type). */
export function readSlice(slice: DeepReadonly<EndpointSlice>): SliceRecord | undefined {
  const { metadata, addressType } = slice;
  const service = getOwn(metadata?.labels, serviceNameLabel);
  if (service === undefined || addressType === "FQDN") return undefined;
  return {
    namespace: metadata?.namespace ?? "",
    name: metadata?.name ?? "",
    service,
    endpoints: (slice.endpoints ?? []).flatMap(readEndpoint),
    ports: readPorts(slice.ports ?? undefined),
  };
}

type Endpoint = NonNullable<DeepReadonly<EndpointSlice>["endpoints"]>[number];

/** An endpoint of unknown readiness is ready (discovery/v1, `EndpointConditions`). */
function readEndpoint({ addresses, conditions, hostname }: Endpoint): EndpointRecord[] {
  if (conditions?.ready === false) return [];
  return (addresses ?? []).flatMap((text) => {
    const address = hostAddress(text);
    return address ? { ...address, hostname: hostname || dashed(text) } : [];
  });
}

/** `endpointHostname` in `plugin/kubernetes/kubernetes.go`. */
function dashed(address: string): string {
  const text = address.replaceAll(/[.:]/g, "-");
  return text.endsWith("-") ? `${text}0` : text;
}

interface ReadPort {
  readonly port?: number | undefined;
  readonly name?: string | undefined;
  readonly protocol?: string | undefined;
}

const readPorts = (ports: readonly ReadPort[] | undefined): readonly PortRecord[] =>
  ports?.length
    ? ports.map(({ port, name, protocol }) => ({
        port: port ?? -1,
        name: (name ?? "").toLowerCase(),
        protocol: (protocol ?? "").toLowerCase(),
      }))
    : noPorts;
