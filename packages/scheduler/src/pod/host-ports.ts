import { isRestartable } from "@coxswain/api/pods";
import type { Pod } from "./objects.js";

/** One port of the node that a pod wants for itself. */
export interface HostPort {
  readonly ip: string;
  /** "TCP/80". */
  readonly port: string;
}

const anyAddress = "0.0.0.0";
const none: readonly HostPort[] = [];

/** The host ports of containers that run as long as the pod does. */
export function hostPortsOf(pod: Pod): readonly HostPort[] {
  let ports: HostPort[] | undefined;
  const collect = (container: NonNullable<Pod["spec"]>["containers"][number]): void => {
    for (const { hostPort = 0, hostIP, protocol } of container.ports ?? [])
      if (hostPort > 0) (ports ??= []).push({ ip: hostIP || anyAddress, port: `${protocol || "TCP"}/${hostPort}` });
  };
  for (const container of pod.spec?.initContainers ?? []) if (isRestartable(container)) collect(container);
  for (const container of pod.spec?.containers ?? []) collect(container);
  return ports ?? none;
}

/** Ports in use on a node, by address. */
export type UsedPorts = Map<string, Set<string>>;

export function usePort(used: UsedPorts, { ip, port }: HostPort): void {
  const ports = used.get(ip);
  if (ports) ports.add(port);
  else used.set(ip, new Set([port]));
}

export function freePort(used: UsedPorts, { ip, port }: HostPort): void {
  const ports = used.get(ip);
  if (ports?.delete(port) && ports.size === 0) used.delete(ip);
}

/** A port on all addresses conflicts with the same port on any, and the other way round. */
export function portsConflict(used: ReadonlyMap<string, ReadonlySet<string>>, wanted: readonly HostPort[]): boolean {
  if (used.size === 0) return false;
  for (const { ip, port } of wanted) {
    if (ip === anyAddress) {
      for (const ports of used.values()) if (ports.has(port)) return true;
    } else if (used.get(anyAddress)?.has(port) || used.get(ip)?.has(port)) return true;
  }
  return false;
}
