import type { PodCondition } from "@coxswain/api/core/v1";
import type { StoredPod } from "@coxswain/kinds/core/pod";

/** Adds or replaces the condition of that type. The time of the last transition moves only when the status does. */
export function setPodCondition({ status }: StoredPod, condition: PodCondition, now: string): void {
  const conditions = (status.conditions ??= []);
  const at = conditions.findIndex(({ type }) => type === condition.type);
  const old = conditions[at];
  const next = {
    ...condition,
    lastProbeTime: condition.lastProbeTime ?? null,
    lastTransitionTime: old?.status === condition.status ? old.lastTransitionTime : now,
  } as PodCondition;
  if (old) conditions[at] = next;
  else conditions.push(next);
}
