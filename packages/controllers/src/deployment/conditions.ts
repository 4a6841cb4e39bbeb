import type { DeepReadonly } from "@coxswain/api";
import type { DeploymentCondition } from "@coxswain/api/apps/v1";
import { formatTime } from "@coxswain/apimachinery/time";

export type Condition = DeepReadonly<DeploymentCondition>;
export type Conditions = readonly Condition[];

export const conditionOf = (conditions: Conditions | undefined, type: string): Condition | undefined =>
  conditions?.find((condition) => condition.type === type);

export interface ConditionFacts {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

/** With both of its times now, in milliseconds. */
export const newCondition = (facts: ConditionFacts, now: number): Condition => ({
  type: facts.type,
  status: facts.status,
  lastUpdateTime: formatTime(now),
  lastTransitionTime: formatTime(now),
  reason: facts.reason,
  message: facts.message,
});

/** With the condition at the end. One that has its status and reason already stays as it is; a status that stays keeps its time. */
export function withCondition(conditions: Conditions, condition: Condition): Conditions {
  const before = conditionOf(conditions, condition.type);
  if (before?.status === condition.status && before.reason === condition.reason) return conditions;
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : undefined;
  return [
    ...withoutCondition(conditions, condition.type),
    { ...condition, ...(lastTransitionTime && { lastTransitionTime }) },
  ];
}

export const withoutCondition = (conditions: Conditions, type: string): Conditions =>
  conditions.filter((condition) => condition.type !== type);
