import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceDefinition, CustomResourceDefinitionCondition } from "@coxswain/api/apiextensions/v1";
import { formatTime } from "@coxswain/apimachinery/time";

export type Status = DeepReadonly<NonNullable<CustomResourceDefinition["status"]>>;
export type Condition = DeepReadonly<CustomResourceDefinitionCondition>;
export type ConditionType =
  | "Established"
  | "NamesAccepted"
  | "NonStructuralSchema"
  | "Terminating"
  | "KubernetesAPIApprovalPolicyConformant";

/** What a condition is to be; when it last changed follows from what it was. */
export interface WantedCondition {
  readonly type: ConditionType;
  readonly status: "True" | "False" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
}

interface HasStatus {
  readonly status?: Status | undefined;
}

export const findCondition = ({ status }: HasStatus, type: ConditionType): Condition | undefined =>
  status?.conditions?.find((condition) => condition.type === type);

export const isConditionTrue = (definition: HasStatus, type: ConditionType): boolean =>
  findCondition(definition, type)?.status === "True";

export const isSameCondition = (wanted: WantedCondition, old: Condition | undefined): boolean =>
  old !== undefined &&
  old.status === wanted.status &&
  (old.reason ?? "") === (wanted.reason ?? "") &&
  (old.message ?? "") === (wanted.message ?? "");

/** The status with a condition changed or added. The time is that of the last change from true to false or back. */
export function withCondition(status: Status, wanted: WantedCondition, now: number): Status {
  const conditions = status.conditions ?? [];
  const old = conditions.find(({ type }) => type === wanted.type);
  const since = old?.status === wanted.status ? old.lastTransitionTime : undefined;
  const next: Condition = { ...old, ...wanted, lastTransitionTime: since ?? formatTime(now) };
  return { ...status, conditions: old ? conditions.map((one) => (one === old ? next : one)) : [...conditions, next] };
}

export const withoutCondition = (status: Status, type: ConditionType): Status => ({
  ...status,
  conditions: (status.conditions ?? []).filter((condition) => condition.type !== type),
});
