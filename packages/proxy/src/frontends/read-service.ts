import type { DeepReadonly } from "@coxswain/api";
import type { Service } from "@coxswain/api/core/v1";
import { addressesOf, type Family, networksOf, readAddress } from "../addresses/family.js";

/** What a service's ports have in common, in one family. */
export interface ServiceFacts {
  readonly clusterIP: string;
  readonly externalIPs: readonly string[];
  readonly loadBalancerIPs: readonly string[];
  /** Empty: everybody. */
  readonly sourceRanges: readonly { readonly text: string; contains(address: string): boolean }[];
  readonly affinitySeconds: number | undefined;
  readonly internalLocal: boolean;
  readonly externalLocal: boolean;
  /** Zero: none. */
  readonly healthCheckNodePort: number;
}

/** Upstream's default of `sessionAffinityConfig.clientIP.timeoutSeconds`: three hours. */
const defaultAffinitySeconds = 10_800;

/** Undefined for services that are not proxied in this family (pkg/proxy/util/utils.go, `ShouldSkipService`; serviceport.go, `newBaseServiceInfo`). */
export function readService(service: DeepReadonly<Service>, family: Family): ServiceFacts | undefined {
  const { spec = {} } = service;
  if (spec.type === "ExternalName") return undefined;
  const clusterIP = clusterIpOf(spec, family);
  if (clusterIP === undefined) return undefined;
  const ranges = networksOf(family, spec.loadBalancerSourceRanges ?? []);
  const isOutside = spec.type === "LoadBalancer" || spec.type === "NodePort" || (spec.externalIPs ?? []).length > 0;
  const externalLocal = isOutside && spec.externalTrafficPolicy === "Local";
  return {
    clusterIP,
    externalIPs: unique(addressesOf(family, spec.externalIPs ?? [])),
    loadBalancerIPs: unique(
      addressesOf(
        family,
        (service.status?.loadBalancer?.ingress ?? []).flatMap(({ ip, ipMode = "VIP" }) =>
          ip !== undefined && ipMode === "VIP" ? [ip] : [],
        ),
      ),
    ),
    // A range of everything is no range.
    sourceRanges: ranges.some(({ prefixLength }) => prefixLength === 0) ? [] : ranges,
    affinitySeconds:
      spec.sessionAffinity === "ClientIP"
        ? (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? defaultAffinitySeconds)
        : undefined,
    internalLocal: spec.internalTrafficPolicy === "Local",
    externalLocal,
    healthCheckNodePort: spec.type === "LoadBalancer" && externalLocal ? (spec.healthCheckNodePort ?? 0) : 0,
  };
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

/** As upstream's `GetClusterIPByFamily` (pkg/proxy/util/utils.go): services of old servers have no `ipFamilies`. */
function clusterIpOf(spec: DeepReadonly<Service["spec"] & {}>, family: Family): string | undefined {
  const { ipFamilies = [], clusterIPs = [], clusterIP = "" } = spec;
  if (clusterIP === "" || clusterIP === "None") return undefined;
  const text = ipFamilies.length === 0 ? clusterIP : clusterIPs[ipFamilies.indexOf(family)];
  const address = text === undefined ? undefined : readAddress(text);
  return address?.family === family ? address.text : undefined;
}
