import type { DeepReadonly } from "@coxswain/api";
import { fieldPath } from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import { ipWarnings } from "@coxswain/apimachinery/validation";
import type { Strategy } from "../../definition/strategy.js";
import type { StoredEndpoints } from "./stored.js";
import { checkEndpoints, checkEndpointsUpdate } from "./validation.js";

export const endpointsStrategy: Strategy<StoredEndpoints> = {
  resetFields: [],
  validateCreate: (endpoints) => checkEndpoints(endpoints, undefined),
  warningsOnCreate: warnings,
  validateUpdate: checkEndpointsUpdate,
  warningsOnUpdate: warnings,
  allowCreateOnUpdate: true,
};

/** The controller of endpoints copies addresses from pods, and nobody could follow a warning about those. */
function warnings({ metadata, subsets = [] }: DeepReadonly<StoredEndpoints>): string[] {
  if (getOwn(metadata.labels, "endpoints.kubernetes.io/managed-by") === "endpoint-controller") return [];
  return subsets.flatMap((subset, at) =>
    (["addresses", "notReadyAddresses"] as const).flatMap((member) =>
      (subset[member] ?? []).flatMap(({ ip }, i) =>
        ipWarnings(ip, fieldPath("subsets").index(at).child(member).index(i).child("ip")),
      ),
    ),
  );
}
