import type { ServiceSpec } from "@coxswain/api/core/v1";
import { isExternalName, needsHealthCheck, nodePortsOf, wantsNodePorts } from "./service.js";

const sameList = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length === b.length && a.every((item, i) => item === b[i]);

/** What was allocated stays when the client leaves it out: it may send again what it sent first. */
export function preserveAllocated(spec: ServiceSpec, old: ServiceSpec): void {
  if (!isExternalName(old) && !isExternalName(spec)) {
    if (!spec.clusterIP && old.clusterIP !== undefined) spec.clusterIP = old.clusterIP;
    if ((spec.clusterIPs?.length ?? 0) === 0 && old.clusterIPs) spec.clusterIPs = [...old.clusterIPs];
  }
  if (wantsNodePorts(old) && wantsNodePorts(spec)) keepNodePorts(spec, old);
  if (needsHealthCheck(old) && needsHealthCheck(spec) && !spec.healthCheckNodePort && old.healthCheckNodePort)
    spec.healthCheckNodePort = old.healthCheckNodePort;
}

/** By the name of the port, unless the number is used for another one now. */
function keepNodePorts(spec: ServiceSpec, old: ServiceSpec): void {
  const now = nodePortsOf(spec);
  const used = new Set(nodePortsOf(old).filter((port) => now.includes(port)));
  const byName = new Map((old.ports ?? []).map(({ name = "", nodePort }) => [name, nodePort]));
  for (const port of spec.ports ?? []) {
    const kept = byName.get(port.name ?? "");
    if (!port.nodePort && kept && !used.has(kept)) port.nodePort = kept;
  }
}

/** `clusterIP` and the first of `clusterIPs` are one; clients that know only the older field change both with it. */
export function alignClusterIps(spec: ServiceSpec, old: ServiceSpec | undefined): void {
  const [now, before] = [spec.clusterIP ?? "", old?.clusterIP ?? ""];
  if (!old) {
    if (now !== "" && (spec.clusterIPs?.length ?? 0) === 0) spec.clusterIPs = [now];
    return;
  }
  if ((old.clusterIPs?.length ?? 0) > 0 && (spec.clusterIPs?.length ?? 0) === 0 && now === before)
    spec.clusterIPs = [...(old.clusterIPs ?? [])];
  if (now === before || !sameList(old.clusterIPs, spec.clusterIPs)) return;
  if (now === "") delete spec.clusterIPs;
  else spec.clusterIPs = [now];
}
