import type { DeepReadonly } from "@coxswain/api";
import type { PersistentVolumeClaimSpec } from "@coxswain/api/core/v1";
import { type FieldPath, quoteGo } from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import { parseQuantity } from "@coxswain/apimachinery/quantity";

/** Somebody wrote `m` and meant `M`: no disk has a fraction of a byte. */
export function claimSpecWarnings({ resources }: DeepReadonly<PersistentVolumeClaimSpec>, path: FieldPath): string[] {
  return (["requests", "limits"] as const).flatMap((member) => {
    const amount = getOwn(resources?.[member], "storage");
    if (amount === undefined || BigInt(parseQuantity(amount).milliValue()) % 1000n === 0n) return [];
    return [`${path.child("resources", member).key("storage")}: fractional byte value ${quoteGo(amount)} is invalid, must be an integer`];
  });
}
