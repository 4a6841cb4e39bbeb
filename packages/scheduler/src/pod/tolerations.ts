import { parseInt64 } from "@coxswain/apimachinery/int-or-string";
import type { Taint, Toleration } from "./objects.js";

/** Whether the gate TaintTolerationComparisonOperators lets tolerations compare numbers. */
export interface TolerationRules {
  readonly comparison: boolean;
}

export function tolerates(
  tolerations: readonly Toleration[] | undefined,
  taint: Taint,
  rules: TolerationRules,
): boolean {
  if (tolerations === undefined) return false;
  for (const toleration of tolerations) if (toleratesOne(toleration, taint, rules)) return true;
  return false;
}

/** The first of the taints that nothing tolerates. */
export function findUntolerated(
  taints: readonly Taint[],
  tolerations: readonly Toleration[] | undefined,
  rules: TolerationRules,
): Taint | undefined {
  for (const taint of taints) if (!tolerates(tolerations, taint, rules)) return taint;
  return undefined;
}

/** Keeps pods away, as opposed to a preference. */
export const isHard = ({ effect }: Taint): boolean => effect === "NoSchedule" || effect === "NoExecute";

function toleratesOne(toleration: Toleration, taint: Taint, { comparison }: TolerationRules): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  switch (toleration.operator) {
    case undefined:
    case "Equal":
      return (toleration.value ?? "") === (taint.value ?? "");
    case "Exists":
      return true;
    case "Lt":
    case "Gt": {
      const bound = parseInt64(toleration.value ?? "");
      const value = parseInt64(taint.value ?? "");
      if (!comparison || bound === undefined || value === undefined) return false;
      return toleration.operator === "Lt" ? value < bound : value > bound;
    }
    default:
      return (toleration.operator as string) === "" && (toleration.value ?? "") === (taint.value ?? "");
  }
}
