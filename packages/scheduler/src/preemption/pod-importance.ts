import { parseTimeMs } from "@coxswain/apimachinery/time";
import type { Victims } from "../extender/extender.js";
import { type Pod, priorityOf } from "../pod/objects.js";

/** When a pod started, in milliseconds; now, while it has not. */
export const startTimeOf = (pod: Pod, now: number): number => parseTimeMs(pod.status?.startTime ?? "") ?? now;

/** Sorts the most important pods first: by priority, then those that run for longer. */
export const byImportance =
  (now: number) =>
  (a: Pod, b: Pod): number =>
    priorityOf(b) - priorityOf(a) || startTimeOf(a, now) - startTimeOf(b, now);

/** Of the victims of the highest priority. */
export function earliestStart({ pods }: Victims, now: number): number {
  let highest = Number.NEGATIVE_INFINITY;
  let earliest = now;
  for (const pod of pods) {
    const [priority, start] = [priorityOf(pod), startTimeOf(pod, now)];
    if (priority > highest || (priority === highest && start < earliest)) earliest = start;
    highest = Math.max(highest, priority);
  }
  return earliest;
}
