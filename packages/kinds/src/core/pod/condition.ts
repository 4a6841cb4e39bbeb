import type { DeepReadonly } from "@coxswain/api";
import type { PodCondition } from "@coxswain/api/core/v1";
import type { StoredPod } from "./stored.js";

/** The first condition of that type. */
export const podCondition = (
  { status }: DeepReadonly<StoredPod>,
  type: string,
): DeepReadonly<PodCondition> | undefined => status.conditions?.find((condition) => condition.type === type);
