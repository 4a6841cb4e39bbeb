import { formatTime } from "@coxswain/apimachinery/time";
import { type CachedJobCondition, conditionOf } from "./job-state.js";

/** Pure. `now` in milliseconds. */
export function newCondition(
  condition: Pick<CachedJobCondition, "type" | "status" | "reason" | "message">,
  now: number,
): CachedJobCondition {
  const time = formatTime(now);
  return { ...condition, lastProbeTime: time, lastTransitionTime: time };
}

/** Pure: the same list where nothing changes. A condition that is false is not added. */
export function withCondition(
  conditions: readonly CachedJobCondition[],
  condition: CachedJobCondition,
): readonly CachedJobCondition[] {
  const before = conditionOf({ conditions }, condition.type);
  if (before === undefined) return condition.status === "False" ? conditions : [...conditions, condition];
  const isSame =
    before.status === condition.status && before.reason === condition.reason && before.message === condition.message;
  return isSame ? conditions : conditions.map((other) => (other === before ? condition : other));
}
