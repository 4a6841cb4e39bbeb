import type { DeepReadonly } from "@coxswain/api";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import { type Family, readAddress } from "../addresses/family.js";
import { type Backend, backendKey } from "./frontend.js";

/** An endpoint of one port of a service, as its slices report it. */
export interface Endpoint extends Backend {
  /** Ready and not terminating, or published although it is not ready. */
  readonly isReady: boolean;
  /** Ready, whether it terminates or not. */
  readonly isServing: boolean;
  readonly isTerminating: boolean;
  readonly zoneHints: ReadonlySet<string> | undefined;
  readonly nodeHints: ReadonlySet<string> | undefined;
}

/** The key of a service's port among its endpoints: slices know ports by name and protocol. */
export const portKey = (name: string, protocol: string): string => `${name}/${protocol}`;

/** More endpoints of one port than this are left out: a map of backends is written in one transaction, and nobody has so many. */
export const maxEndpointsPerPort = 65_536;

/**
 * The endpoints of each port of a service in one family, in the order of their addresses (pkg/proxy/endpointslicecache.go,
 * `endpointInfoByServicePort` and `addEndpoints`). An endpoint that moves between slices may be in both, and an address may be a new
 * pod's and a terminating one's: the one that does not terminate is taken.
 */
export function readEndpoints(
  slices: Iterable<DeepReadonly<EndpointSlice>>,
  { family, nodeName }: { family: Family; nodeName: string },
): ReadonlyMap<string, readonly Endpoint[]> {
  const byPort = new Map<string, Map<string, Endpoint>>();
  for (const slice of slices) {
    if (slice.addressType !== family) continue;
    for (const { name, port, protocol = "TCP" } of slice.ports ?? []) {
      if (name === undefined || !port) continue;
      const key = portKey(name, protocol);
      const found = byPort.get(key) ?? new Map<string, Endpoint>();
      byPort.set(key, found);
      for (const endpoint of slice.endpoints ?? []) addEndpoint(found, endpoint, { port, family, nodeName });
    }
  }
  return new Map([...byPort].map(([key, found]) => [key, inOrder(found)]));
}

const inOrder = (found: ReadonlyMap<string, Endpoint>): Endpoint[] =>
  [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, endpoint]) => endpoint);

function addEndpoint(
  found: Map<string, Endpoint>,
  endpoint: NonNullable<DeepReadonly<EndpointSlice>["endpoints"]>[number],
  { port, family, nodeName }: { port: number; family: Family; nodeName: string },
): void {
  const address = readAddress(endpoint.addresses[0] ?? "");
  if (address?.family !== family) return;
  const { ready = true, serving = true, terminating = false } = endpoint.conditions ?? {};
  const key = backendKey({ address: address.text, port });
  if (found.has(key) ? terminating : found.size >= maxEndpointsPerPort) return;
  const { forZones = [], forNodes = [] } = endpoint.hints ?? {};
  found.set(key, {
    address: address.text,
    port,
    isLocal: nodeName !== "" && endpoint.nodeName === nodeName,
    isReady: ready,
    isServing: serving,
    isTerminating: terminating,
    zoneHints: forZones.length > 0 ? new Set(forZones.map(({ name }) => name)) : undefined,
    nodeHints: forNodes.length > 0 ? new Set(forNodes.map(({ name }) => name)) : undefined,
  });
}
