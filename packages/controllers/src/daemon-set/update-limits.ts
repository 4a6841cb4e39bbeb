import { scaledValue } from "@coxswain/apimachinery/int-or-string";
import type { CachedDaemonSet } from "./daemon-pod.js";

export interface UpdateLimits {
  /** How many nodes may have an old and a new pod at the same time. */
  readonly maxSurge: number;
  /** How many nodes may be without a pod that is available. */
  readonly maxUnavailable: number;
}

/** Pure: the limits of an update for so many nodes. Where both come to nothing, one may be unavailable. */
export function updateLimits({ spec }: CachedDaemonSet, total: number): UpdateLimits {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  const limits = type === "RollingUpdate" ? rollingUpdate : undefined;
  const maxSurge = scaledValue(limits?.maxSurge ?? 0, { total, round: "up" });
  const maxUnavailable = scaledValue(limits?.maxUnavailable ?? 0, { total, round: "up" });
  return { maxSurge, maxUnavailable: total > 0 && maxSurge === 0 && maxUnavailable === 0 ? 1 : maxUnavailable };
}

/** Whether a node may have two pods during an update. */
export const allowsSurge = (daemonSet: CachedDaemonSet): boolean => updateLimits(daemonSet, 1).maxSurge > 0;
