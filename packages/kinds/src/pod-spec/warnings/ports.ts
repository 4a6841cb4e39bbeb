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

/**
 * A pod may have a hundred thousand ports, and each pair of them a warning; 4 KiB of warnings are sent. Upstream writes them all, which
 * takes the memory of a server.
 */
const mostClashes = 1000;

function clashes(ports: readonly Port[]): string[] {
  const warnings: string[] = [];
  const sockets = new Map<string, KnownPorts>();
  let left = mostClashes;
  for (const known of ports) {
    const { port, path } = known;
    if (port.hostIP && !port.hostPort) warnings.push(`${path}: hostIP set without hostPort: ${goStruct(port)}`);
    if (left === 0) continue;
    const socket = `${port.containerPort}/${port.protocol ?? ""}`;
    let others = sockets.get(socket);
    if (others === undefined) sockets.set(socket, (others = new KnownPorts()));
    for (const other of others.candidates(port, left)) {
      const clash = clashOf(port, other.port);
      if (clash === undefined) continue;
      warnings.push(`${path}: ${clash} port definition with ${other.path}`);
      left--;
    }
    others.add(known);
  }
  return warnings;
}

/** The ports of one number and protocol so far, by what makes them clash: no port is looked at that does not. */
class KnownPorts {
  #count = 0;
  readonly #lists = new Map<string, { readonly at: number; readonly known: Port }[]>();

  add(known: Port): void {
    const { hostIP = "", hostPort = 0 } = known.port;
    const entry = { at: this.#count++, known };
    for (const key of ["all", `${hostPort}`, `${hostPort} ${hostIP}`]) {
      const list = this.#lists.get(key);
      if (list) list.push(entry);
      else this.#lists.set(key, [entry]);
    }
  }

  /** Those that clash with this one, in their order, at most so many. */
  candidates({ hostIP = "", hostPort = 0 }: DeepReadonly<ContainerPort>, most: number): Port[] {
    const keys =
      hostPort === 0 ? ["all"] : hostIP === "" ? ["0", `${hostPort}`] : ["0", `${hostPort} ${hostIP}`, `${hostPort} `];
    return keys
      .flatMap((key) => this.#lists.get(key)?.slice(0, most) ?? [])
      .sort((a, b) => a.at - b.at)
      .slice(0, most)
      .map(({ known }) => known);
  }
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
