import type { Endpoint } from "./read-endpoints.js";

export interface NodePlace {
  readonly name: string;
  /** The label topology.kubernetes.io/zone; "" without. */
  readonly zone: string;
}

/** Which lists a port needs. */
export interface ListsInUse {
  /** For traffic under `Cluster` policy, and for the node's own traffic to external addresses under `Local` policy. */
  readonly cluster: boolean;
  readonly local: boolean;
}

export interface CategorizedEndpoints {
  readonly cluster: readonly Endpoint[];
  readonly local: readonly Endpoint[];
  /** Both together. */
  readonly reachable: readonly Endpoint[];
  /** Whether the service can be reached from some node, though perhaps not from this one. */
  readonly hasAny: boolean;
}

/**
 * The endpoints for each traffic policy (pkg/proxy/topology.go, `CategorizeEndpoints`): ready ones that topology hints allow; where
 * there are none, those that still serve while they terminate. Local endpoints are chosen without hints.
 */
export function categorizeEndpoints(
  endpoints: readonly Endpoint[],
  inUse: ListsInUse,
  node: NodePlace,
): CategorizedEndpoints {
  const isFallback = (endpoint: Endpoint): boolean => endpoint.isServing && endpoint.isTerminating;
  const readyOr = (ready: readonly Endpoint[], all: readonly Endpoint[]): readonly Endpoint[] =>
    ready.length > 0 ? ready : all.filter(isFallback);
  const ready = endpoints.filter(({ isReady }) => isReady);
  const cluster = inUse.cluster ? readyOr(ready.filter(allowedByHints(ready, node)), endpoints) : [];
  const locals = endpoints.filter(({ isLocal }) => isLocal);
  const local = inUse.local
    ? readyOr(
        locals.filter(({ isReady }) => isReady),
        locals,
      )
    : [];
  const reachable = local.length === 0 ? cluster : cluster.length === 0 ? local : [...new Set([...cluster, ...local])];
  return { cluster, local, reachable, hasAny: endpoints.some((one) => one.isReady || isFallback(one)) };
}

/**
 * Hints count only if every ready endpoint has them and one is for this node, or else for its zone (`topologyModeFromHints`):
 * a slice that is only half updated must not take traffic away.
 */
function allowedByHints(ready: readonly Endpoint[], { name, zone }: NodePlace): (endpoint: Endpoint) => boolean {
  const usable = (hintsOf: (one: Endpoint) => ReadonlySet<string> | undefined, wanted: string): boolean =>
    ready.every((one) => hintsOf(one) !== undefined) && ready.some((one) => hintsOf(one)?.has(wanted));
  if (usable(({ nodeHints }) => nodeHints, name)) return ({ nodeHints }) => nodeHints?.has(name) === true;
  if (usable(({ zoneHints }) => zoneHints, zone)) return ({ zoneHints }) => zoneHints?.has(zone) === true;
  return () => true;
}
