import type { EventText } from "../../own-writes/server-events.js";
import type { PortRange } from "../port-claims.js";
import type { StoredService } from "../service.js";

export interface PortPlan {
  /** The ports in use as they should be recorded; undefined: the record is right. */
  readonly used: ReadonlySet<number> | undefined;
  readonly warnings: readonly { readonly service: StoredService; readonly text: EventText }[];
  /** Ports that nobody seems to have, and how often they may still be found so before they are given back. */
  readonly leaks: ReadonlyMap<number, number>;
}

/** Three times: a kube-apiserver over the same store takes a port before the service is there. */
const looksBeforeRelease = 3;

/** Compares what is recorded with what services have. */
export function planPorts(
  services: Iterable<StoredService>,
  used: ReadonlySet<number>,
  { range, leaks }: { readonly range: PortRange; readonly leaks: ReadonlyMap<number, number> },
): PortPlan {
  const rebuilt = new Set<number>();
  const warnings: { service: StoredService; text: EventText }[] = [];
  for (const service of services) {
    const warn = (reason: string, note: string): void =>
      void warnings.push({ service, text: { reason, action: "PortAllocation", note } });
    for (const port of portsOf(service)) {
      if (port < range.first || port > range.last)
        warn(
          "PortOutOfRange",
          `Port ${port} is not within the port range ${range.first}-${range.last}; please recreate service`,
        );
      else if (rebuilt.has(port))
        warn("PortAlreadyAllocated", `Port ${port} was assigned to multiple services; please recreate service`);
      else {
        rebuilt.add(port);
        if (!used.has(port)) warn("PortNotAllocated", `Port ${port} is not allocated; repairing`);
      }
    }
  }
  const left = new Map<number, number>();
  for (const port of used) {
    if (rebuilt.has(port)) continue;
    const count = leaks.get(port) ?? looksBeforeRelease - 1;
    if (count === 0) continue;
    left.set(port, count - 1);
    rebuilt.add(port);
  }
  const isSame = rebuilt.size === used.size && [...rebuilt].every((port) => used.has(port));
  return { used: isSame ? undefined : rebuilt, warnings, leaks: left };
}

export const hasNodePorts = (service: StoredService): boolean => portsOf(service).length > 0;

/** One number may stand for several protocols once, and counts then as one. */
function portsOf({ spec }: StoredService): number[] {
  const protocols = new Map<number, Set<string>>();
  const ports: number[] = [];
  const asked = [
    ...(spec.ports ?? []).map(({ nodePort = 0, protocol = "" }) => ({ port: nodePort, protocol })),
    { port: spec.healthCheckNodePort ?? 0, protocol: "TCP" },
  ];
  for (const { port, protocol } of asked) {
    if (port === 0) continue;
    const seen = protocols.get(port);
    if (!seen || seen.has(protocol)) ports.push(port);
    protocols.set(port, new Set([...(seen ?? []), protocol]));
  }
  return ports;
}
