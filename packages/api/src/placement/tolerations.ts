import type { Taint as MutableTaint, Toleration as MutableToleration } from "../gen/types/core-v1.js";
import type { DeepReadonly } from "../types/index.js";

type Taint = DeepReadonly<MutableTaint>;
type Toleration = DeepReadonly<MutableToleration>;

export interface TolerationRules {
  /** Whether the gate TaintTolerationComparisonOperators lets "Lt" and "Gt" compare numbers; they tolerate nothing otherwise. */
  readonly comparison: boolean;
}

/** Whether the toleration covers the taint. An empty effect or key covers all of them. */
export function tolerates(toleration: Toleration, taint: Taint, { comparison }: TolerationRules): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  // A cast: servers may store what the type does not have.
  switch ((toleration.operator ?? "") as string) {
    case "":
    case "Equal":
      return (toleration.value ?? "") === (taint.value ?? "");
    case "Exists":
      return true;
    case "Lt":
    case "Gt": {
      const [limit, value] = [parseDecimal(toleration.value), parseDecimal(taint.value)];
      if (!comparison || limit === undefined || value === undefined) return false;
      return toleration.operator === "Lt" ? value < limit : value > limit;
    }
    default:
      return false;
  }
}

/** Whether one of the tolerations covers the taint. */
export function isTolerated(
  taint: Taint,
  tolerations: readonly Toleration[] | undefined,
  rules: TolerationRules,
): boolean {
  if (tolerations === undefined) return false;
  for (const toleration of tolerations) if (tolerates(toleration, taint, rules)) return true;
  return false;
}

/** The first of the taints that nothing tolerates. */
export function findUntolerated(
  taints: readonly Taint[],
  tolerations: readonly Toleration[] | undefined,
  rules: TolerationRules,
): Taint | undefined {
  for (const taint of taints) if (!isTolerated(taint, tolerations, rules)) return taint;
  return undefined;
}

/** Keeps pods away, as opposed to a preference. */
export const isHard = ({ effect }: Taint): boolean => effect === "NoSchedule" || effect === "NoExecute";

/** Within 64 bits, without a plus sign and leading zeros. */
function parseDecimal(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^(0|-?[1-9]\d{0,18})$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
