import { type CachedPod, containersOf, initContainersOf, isSidecar } from "../objects/cached-pod.js";

interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

const anyAddress = "0.0.0.0";

/** Pure: whether no other pod of the node holds a host port that this one wants. */
export function hasFreePorts(pod: CachedPod, others: Iterable<CachedPod>): boolean {
  const wanted = hostPortsOf(pod);
  if (wanted.length === 0) return true;
  for (const other of others)
    for (const taken of hostPortsOf(other)) if (wanted.some((port) => overlaps(port, taken))) return false;
  return true;
}

function hostPortsOf(pod: CachedPod): HostPort[] {
  const ports: HostPort[] = [];
  for (const container of [...initContainersOf(pod).filter(isSidecar), ...containersOf(pod)])
    for (const { hostPort, hostIP, protocol } of container.ports ?? [])
      if (hostPort) ports.push({ ip: hostIP || anyAddress, protocol: protocol ?? "TCP", port: hostPort });
  return ports;
}

const overlaps = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === anyAddress || b.ip === anyAddress);
