import type { DeepReadonly } from "@coxswain/api";
import type { IPBlock } from "@coxswain/api/networking/v1";
import { type FieldPath, fieldPath } from "@coxswain/apimachinery/field";
import type { StoredNetworkPolicy } from "./stored.js";

/** The address ranges of a policy with where they stand, what comes in first. */
export function ipBlocks({
  spec,
}: DeepReadonly<StoredNetworkPolicy>): { readonly block: DeepReadonly<IPBlock>; readonly path: FieldPath }[] {
  const directions = [
    ["ingress", "from", (spec.ingress ?? []).map(({ from }) => from ?? [])],
    ["egress", "to", (spec.egress ?? []).map(({ to }) => to ?? [])],
  ] as const;
  return directions.flatMap(([direction, side, rules]) =>
    rules.flatMap((peers, at) =>
      peers.flatMap(({ ipBlock }, i) =>
        ipBlock
          ? [{ block: ipBlock, path: fieldPath("spec", direction).index(at).child(side).index(i).child("ipBlock") }]
          : [],
      ),
    ),
  );
}
