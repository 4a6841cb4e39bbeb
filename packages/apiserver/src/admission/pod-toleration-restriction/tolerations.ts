import type { Toleration } from "@coxswain/api/core/v1";
import { equalJson } from "@coxswain/apimachinery/json";

/** Both together, without those that others include. Of two that are equal the first stays. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [i, each] of all.entries()) {
    if (
      merged.some((other) => includes(other, each)) ||
      all.slice(i + 1).some((other) => !equalJson(each, other) && includes(other, each))
    )
      continue;
    merged.push(each);
  }
  return merged;
}

/** Whether each of them is included in one of the list. */
export const areAllowed = (tolerations: readonly Toleration[], list: readonly Toleration[]): boolean =>
  list.length === 0 || tolerations.every((each) => list.some((allowed) => includes(allowed, each)));

/** Whether `a` tolerates all that `b` tolerates. */
function includes(a: Toleration, b: Toleration): boolean {
  if (equalJson(a, b)) return true;
  const anyKey = !a.key && a.operator === "Exists";
  if ((a.key ?? "") !== (b.key ?? "") && !anyKey) return false;
  if (a.effect && (b.effect ?? "") !== a.effect) return false;
  if (
    a.effect === "NoExecute" &&
    a.tolerationSeconds !== undefined &&
    (b.tolerationSeconds === undefined || b.tolerationSeconds > a.tolerationSeconds)
  )
    return false;
  if (a.operator === "Exists") return true;
  return (a.operator ?? "Equal") === "Equal" && b.operator === "Equal" && (a.value ?? "") === (b.value ?? "");
}
