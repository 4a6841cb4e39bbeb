import type { DeepReadonly } from "@coxswain/api";
import type { Endpoint } from "@coxswain/api/discovery/v1";
import { fieldPath } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { ipWarnings, nameIsDnsSubdomain } from "@coxswain/apimachinery/validation";
import type { Strategy } from "../../definition/strategy.js";
import type { StoredEndpointSlice } from "./stored.js";
import { checkEndpointSlice, checkEndpointSliceUpdate } from "./validation.js";

type ReadSlice = DeepReadonly<StoredEndpointSlice>;

export const endpointSliceStrategy: Strategy<StoredEndpointSlice> = {
  resetFields: [],
  prepareForCreate(slice) {
    slice.metadata.generation = 1;
    dropTopology(slice, undefined);
  },
  validateCreate: (slice) => checkEndpointSlice(slice, undefined),
  warningsOnCreate: (slice) => [
    ...(slice.addressType === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : []),
    ...addressWarnings(slice),
  ],
  prepareForUpdate(slice, old) {
    const isSame =
      equalJson(withoutMetadata(slice), withoutMetadata(old)) && equalJson(slice.metadata.labels, old.metadata.labels);
    if (!isSame) slice.metadata.generation = (old.metadata.generation ?? 0) + 1;
    dropTopology(slice, old);
  },
  validateUpdate: checkEndpointSliceUpdate,
  warningsOnUpdate: addressWarnings,
};

/** No list and an empty one are the same. */
function withoutMetadata({ metadata: _metadata, endpoints, ports, ...rest }: ReadSlice): unknown {
  return { ...rest, endpoints: endpoints ?? [], ports: ports ?? [] };
}

const hostnameLabel = "kubernetes.io/hostname";
const topologyNode = ({ deprecatedTopology }: DeepReadonly<Endpoint>): string =>
  getOwn(deprecatedTopology, hostnameLabel) ?? "";

/** Topology was a map once. Old slices may keep it until their endpoints change; a node name that it holds then moves to its own member. */
function dropTopology(slice: StoredEndpointSlice, old: ReadSlice | undefined): void {
  if (old && equalJson(slice.endpoints, old.endpoints)) return;
  const known = new Set((old?.endpoints ?? []).map(topologyNode));
  for (const endpoint of slice.endpoints ?? []) {
    const node = topologyNode(endpoint);
    if (endpoint.nodeName === undefined && node !== "" && known.has(node) && nameIsDnsSubdomain(node).length === 0)
      endpoint.nodeName = node;
    delete endpoint.deprecatedTopology;
  }
}

const copiers = new Set(["endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io"]);

/** Controllers copy addresses from pods, and nobody could follow a warning about those. */
function addressWarnings({ metadata, endpoints }: ReadSlice): string[] {
  if (copiers.has(getOwn(metadata.labels, "endpointslice.kubernetes.io/managed-by") ?? "")) return [];
  return (endpoints ?? []).flatMap(({ addresses }, at) =>
    (addresses ?? []).flatMap((address, i) =>
      ipWarnings(address, fieldPath("endpoints").index(at).child("addresses").index(i)),
    ),
  );
}
