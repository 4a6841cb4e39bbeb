import { formatTime } from "@coxswain/apimachinery/time";

/** metav1.Condition. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown" | (string & {});
  /** One word in UpperCamelCase. */
  readonly reason: string;
  readonly message: string;
  /** The generation of the spec that the condition is about. */
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
}

/** A condition to be set. */
export type ConditionUpdate = Omit<Condition, "lastTransitionTime" | "message"> & {
  /** @default "" */
  readonly message?: string;
  /** @default now, where the status changes */
  readonly lastTransitionTime?: string;
};

/**
 * The conditions with this one among them, as meta.SetStatusCondition makes them: `lastTransitionTime` moves only when `status` does,
 * a new type comes last. The same array where nothing changes, so that a status that is equal needs no write.
 */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  update: ConditionUpdate,
  nowMs: number,
): readonly Condition[] {
  const existing = conditions?.find(({ type }) => type === update.type);
  const moved = existing === undefined || existing.status !== update.status;
  const { type, status, reason, message = "", observedGeneration } = update;
  const lastTransitionTime = moved ? (update.lastTransitionTime ?? formatTime(nowMs)) : existing.lastTransitionTime;
  const next: Condition = {
    type,
    status,
    ...(observedGeneration !== undefined && { observedGeneration }),
    lastTransitionTime,
    reason,
    message,
  };
  if (existing === undefined) return [...(conditions ?? []), next];
  const isSame =
    !moved &&
    existing.reason === reason &&
    existing.message === message &&
    existing.observedGeneration === observedGeneration;
  return isSame
    ? (conditions as readonly Condition[])
    : (conditions ?? []).map((each) => (each === existing ? next : each));
}

export const removeCondition = (conditions: readonly Condition[] | undefined, type: string): readonly Condition[] =>
  conditions?.some((each) => each.type === type) ? conditions.filter((each) => each.type !== type) : (conditions ?? []);

export const findCondition = (conditions: readonly Condition[] | undefined, type: string): Condition | undefined =>
  conditions?.find((each) => each.type === type);

export const isConditionTrue = (conditions: readonly Condition[] | undefined, type: string): boolean =>
  findCondition(conditions, type)?.status === "True";
