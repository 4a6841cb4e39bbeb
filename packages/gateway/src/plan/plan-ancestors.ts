import { type Gateway, gatewayGroup, type ParentReference } from "../objects/gateway-objects.js";
import type { PlannedPolicy } from "./backend-tls-policies.js";
import { keyOf } from "./world.js";

/** The Gateways through which a policy is used, as its status names them. */
export interface PlannedAncestors extends PlannedPolicy {
  readonly ancestors: readonly ParentReference[];
}

/** A policy's status has at most so many (PolicyStatus.ancestors). */
const maxAncestors = 16;

/** Pure: each policy with the Gateways whose routes lead to its Services. */
export const planAncestors = (
  planned: readonly PlannedPolicy[],
  gatewaysByService: ReadonlyMap<string, ReadonlySet<Gateway>>,
): PlannedAncestors[] =>
  planned.map((policy) => {
    const gateways = new Map(
      policy.services
        .flatMap((service) => [...(gatewaysByService.get(service) ?? [])])
        .map((gateway) => [keyOf(gateway), gateway]),
    );
    const ancestors = [...gateways.values()].slice(0, maxAncestors).map(({ metadata }) => ({
      group: gatewayGroup,
      kind: "Gateway",
      name: metadata.name ?? "",
      namespace: metadata.namespace ?? "",
    }));
    return { ...policy, ancestors };
  });
