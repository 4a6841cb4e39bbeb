import type { DeepReadonly } from "@coxswain/api";
import type { Taint, Toleration } from "@coxswain/api/core/v1";

export interface TolerationOptions {
  /** Whether "Lt" and "Gt" compare numbers; they tolerate nothing otherwise. */
  readonly hasComparisons: boolean;
}

/** Pure: whether the toleration covers the taint. An empty effect or key covers all of them. */
export function tolerates(
  toleration: DeepReadonly<Toleration>,
  taint: DeepReadonly<Taint>,
  { hasComparisons }: TolerationOptions,
): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  switch (toleration.operator ?? "") {
    case "":
    case "Equal":
      return (toleration.value ?? "") === (taint.value ?? "");
    case "Exists":
      return true;
    case "Lt":
    case "Gt": {
      const [limit, value] = [parseInteger(toleration.value), parseInteger(taint.value)];
      if (!hasComparisons || limit === undefined || value === undefined) return false;
      return toleration.operator === "Lt" ? value < limit : value > limit;
    }
    default:
      return false;
  }
}

/** Decimal, within 64 bits, without a plus sign and leading zeros. */
export function parseInteger(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^(0|-?[1-9]\d{0,18})$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** The first taint of these effects that no toleration covers. */
export const untoleratedTaint = (
  taints: readonly DeepReadonly<Taint>[] | undefined,
  tolerations: readonly DeepReadonly<Toleration>[] | undefined,
  effects: readonly string[],
  options: TolerationOptions,
): DeepReadonly<Taint> | undefined =>
  taints?.find(
    (taint) =>
      effects.includes(taint.effect) &&
      !(tolerations ?? []).some((toleration) => tolerates(toleration, taint, options)),
  );
