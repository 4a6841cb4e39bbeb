import type { EndpointSlice } from "../gen/types/discovery-v1.js";
import type { DeepReadonly } from "../types/index.js";

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** The ready endpoints of a Service's port, of the first address of each. */
export function readyEndpoints(
  slices: readonly DeepReadonly<EndpointSlice>[],
  portName: string,
  protocol = "TCP",
): Endpoint[] {
  return slices.flatMap(({ ports, endpoints }) => {
    const port = ports?.find((one) => (one.name ?? "") === portName && (one.protocol ?? "TCP") === protocol)?.port;
    if (port === undefined) return [];
    return (endpoints ?? [])
      .filter(({ conditions }) => conditions?.ready !== false)
      .flatMap(({ addresses }) => addresses.slice(0, 1).map((address) => ({ address, port })));
  });
}
