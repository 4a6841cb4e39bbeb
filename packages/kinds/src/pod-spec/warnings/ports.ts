import type { DeepReadonly } from "@coxswain/api";
import type { ContainerPort, PodSpec } from "@coxswain/api/core/v1";
import { childOf, type FieldPath, quoteGo } from "@coxswain/apimachinery/field";
import { containersOf } from "../visit-containers.js";

interface Port {
  readonly port: DeepReadonly<ContainerPort>;
  readonly path: FieldPath;
}

/** Ports of different containers that get in each other's way, although nothing forbids them. */
export function portWarnings(spec: DeepReadonly<PodSpec>, root: FieldPath | undefined): string[] {
  const ports: Port[] = [];
  for (const { container, path } of containersOf(spec, childOf(root, "spec"))) {
    for (const [i, port] of (container.ports ?? []).entries()) ports.push({ port, path: path.child("ports").index(i) });
  }
  return ports.length === 0 ? [] : [...clashes(ports), ...repeatedNames(ports)];
}

function clashes(ports: readonly Port[]): string[] {
  const warnings: string[] = [];
  const known = new Map<string, Port[]>();
  for (const { port, path } of ports) {
    if (port.hostIP && !port.hostPort) warnings.push(`${path}: hostIP set without hostPort: ${goStruct(port)}`);
    const socket = `${port.containerPort}/${port.protocol ?? ""}`;
    const others = known.get(socket) ?? [];
    for (const other of others) {
      const clash = clashOf(port, other.port);
      if (clash !== undefined) warnings.push(`${path}: ${clash} port definition with ${other.path}`);
    }
    known.set(socket, [...others, { port, path }]);
  }
  return warnings;
}

function clashOf(
  { hostIP = "", hostPort = 0 }: DeepReadonly<ContainerPort>,
  { hostIP: otherIP = "", hostPort: otherPort = 0 }: DeepReadonly<ContainerPort>,
): string | undefined {
  if (hostIP === otherIP && hostPort === otherPort) return "duplicate";
  if (hostPort === 0 || otherPort === 0) return "overlapping";
  return hostPort === otherPort && (hostIP === "") !== (otherIP === "") ? "dangerously ambiguous" : undefined;
}

function repeatedNames(ports: readonly Port[]): string[] {
  const warnings: string[] = [];
  const first = new Map<string, FieldPath>();
  for (const { port, path } of ports) {
    const { name = "" } = port;
    const other = first.get(name);
    if (name === "") continue;
    if (other)
      warnings.push(
        `${path}: duplicate port name ${quoteGo(name)} with ${other}, services and probes that select ports by name will use ${other}`,
      );
    else first.set(name, path);
  }
  return warnings;
}

/** As Go's %+v prints the port. */
const goStruct = ({
  name = "",
  hostPort = 0,
  containerPort,
  protocol,
  hostIP = "",
}: DeepReadonly<ContainerPort>): string =>
  `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol ?? ""} HostIP:${hostIP}}`;
