import type { ServicePort, ServiceSpec } from "@coxswain/api/core/v1";
import { fieldPath, invalid as invalidField } from "@coxswain/apimachinery/field";
import { internalError, invalid, StatusError } from "@coxswain/apimachinery/status";
import { type PortClaims, PortRefusal } from "./port-claims.js";
import { hasNodePorts, needsHealthCheck, nodePortsOf, type StoredService, wantsNodePorts } from "./service.js";

/** Gives a service its node ports, in place, and takes back what it no longer uses. Throws 422 for a port that cannot be had, 500 when there are none left. */
export function giveNodePorts(service: StoredService, old: StoredService | undefined, claims: PortClaims): void {
  const { spec } = service;
  if (old && hasNodePorts(old.spec) && !hasNodePorts(spec))
    nodePortsOf(old.spec).forEach((port) => claims.release(port));
  if (hasNodePorts(spec)) (old ? updatePorts : newPorts)(service, claims, old?.spec ?? {});
  const needed = old !== undefined && needsHealthCheck(old.spec);
  if (needsHealthCheck(spec) && !needed) giveHealthCheckPort(spec, claims);
  if (needed && !needsHealthCheck(spec)) claims.release(old.spec.healthCheckNodePort ?? 0);
}

/** What goes back when the service is gone. */
export const portsHeldBy = ({ spec }: StoredService): number[] => [
  ...nodePortsOf(spec),
  ...(needsHealthCheck(spec) && spec.healthCheckNodePort ? [spec.healthCheckNodePort] : []),
];

/** Ports with the same number (TCP and UDP) share a node port. */
function newPorts(service: StoredService, claims: PortClaims): void {
  const { ports = [] } = service.spec;
  const given = new Map<number, number>();
  for (const [i, port] of ports.entries()) {
    if (!port.nodePort && !wantsNodePorts(service.spec)) continue;
    const shared = given.get(port.port);
    if (shared === undefined) {
      const wanted = ports.find((candidate) => candidate.port === port.port && candidate.nodePort)?.nodePort;
      port.nodePort = wanted === undefined ? anyPort(claims) : claim(service, i, wanted, claims);
      given.set(port.port, port.nodePort);
    } else if (!port.nodePort) {
      port.nodePort = shared;
    } else if (port.nodePort !== shared) {
      claim(service, i, port.nodePort, claims);
    }
  }
}

function updatePorts(service: StoredService, claims: PortClaims, old: ServiceSpec): void {
  const before = nodePortsOf(old);
  const claimed = new Set<number>();
  const seen = new Set<string>();
  for (const [i, port] of (service.spec.ports ?? []).entries()) {
    if (!port.nodePort && !wantsNodePorts(service.spec)) continue;
    if (!port.nodePort) port.nodePort = anyPort(claims);
    else if (!before.includes(port.nodePort) && !claimed.has(port.nodePort))
      claimed.add(claim(service, i, port.nodePort, claims));
    if (seen.has(nodePortKey(port)))
      throw new StatusError({
        code: 500,
        reason: "",
        message: `duplicate nodePort: {${port.protocol} ${port.nodePort}}`,
      });
    seen.add(nodePortKey(port));
  }
  const after = nodePortsOf(service.spec);
  for (const port of before) if (!after.includes(port)) claims.release(port);
}

const nodePortKey = ({ protocol, nodePort }: ServicePort): string => `${protocol ?? "TCP"} ${nodePort ?? 0}`;

function claim({ metadata }: StoredService, i: number, port: number, claims: PortClaims): number {
  try {
    claims.claim(port);
    return port;
  } catch (err) {
    if (err instanceof PortRefusal)
      throw invalid({ group: "", kind: "Service" }, metadata.name ?? "", [
        invalidField(fieldPath("spec", "ports").index(i).child("nodePort"), port, err.message),
      ]);
    throw err;
  }
}

function anyPort(claims: PortClaims): number {
  try {
    return claims.next();
  } catch (err) {
    throw err instanceof PortRefusal ? internalError(`failed to allocate a nodePort: ${err.message}`) : err;
  }
}

function giveHealthCheckPort(spec: ServiceSpec, claims: PortClaims): void {
  try {
    if (spec.healthCheckNodePort) claims.claim(spec.healthCheckNodePort);
    else spec.healthCheckNodePort = claims.next();
  } catch (err) {
    if (!(err instanceof PortRefusal)) throw err;
    throw internalError(
      spec.healthCheckNodePort
        ? `failed to allocate requested HealthCheck NodePort ${spec.healthCheckNodePort}: ${err.message}`
        : `failed to allocate a HealthCheck NodePort 0: ${err.message}`,
    );
  }
}
