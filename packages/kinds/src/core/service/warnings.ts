import type { DeepReadonly } from "@coxswain/api";
import { fieldPath } from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import { cidrWarnings, ipWarnings } from "@coxswain/apimachinery/validation";
import { deprecatedTopologyHints, topologyMode } from "./annotations.js";
import type { StoredService } from "./stored.js";

const specPath = fieldPath("spec");

export function serviceWarnings({ metadata, spec }: DeepReadonly<StoredService>): string[] {
  const {
    clusterIP = "",
    clusterIPs = [],
    externalIPs = [],
    loadBalancerIP = "",
    loadBalancerSourceRanges: ranges = [],
    type,
    externalName,
  } = spec;
  const isHeadless = type === "ClusterIP" && clusterIP === "None";
  const hasExternal = externalIPs.length > 0;
  const warnIf = (isSo: boolean, text: string): string[] => (isSo ? [text] : []);
  return [
    ...warnIf(
      getOwn(metadata.annotations, deprecatedTopologyHints) !== undefined,
      `annotation ${deprecatedTopologyHints} is deprecated, please use ${topologyMode} instead`,
    ),
    ...(clusterIP === "" || clusterIP === "None"
      ? []
      : clusterIPs.flatMap((ip, at) => ipWarnings(ip, specPath.child("clusterIPs").index(at)))),
    ...warnIf(isHeadless && loadBalancerIP !== "", "spec.loadBalancerIP is ignored for headless services"),
    ...warnIf(isHeadless && hasExternal, "spec.externalIPs is ignored for headless services"),
    ...warnIf(isHeadless && spec.sessionAffinity !== "None", "spec.SessionAffinity is ignored for headless services"),
    ...externalIPs.flatMap((ip, at) => ipWarnings(ip, specPath.child("externalIPs").index(at))),
    ...warnIf(
      hasExternal && !isHeadless && type !== "ExternalName",
      "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    ),
    ...(loadBalancerIP === "" ? [] : ipWarnings(loadBalancerIP, specPath.child("loadBalancerIP"))),
    ...ranges.flatMap((range, at) => cidrWarnings(range, specPath.child("loadBalancerSourceRanges").index(at))),
    ...warnIf(type === "ExternalName" && hasExternal, 'spec.externalIPs is ignored when spec.type is "ExternalName"'),
    ...warnIf(
      type !== "ExternalName" && Boolean(externalName),
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ),
    ...warnIf(
      spec.trafficDistribution === "PreferClose",
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ),
  ];
}
