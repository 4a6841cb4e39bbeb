import type { Victims } from "../extender/extender.js";
import { priorityOf } from "../pod/objects.js";
import { earliestStart } from "./pod-importance.js";

/** Larger is better; the first in which two nodes differ decides. */
const criteria: readonly ((victims: Victims, now: number) => number)[] = [
  ({ budgetViolations }) => -budgetViolations,
  ({ pods: [first] }) => -(first ? priorityOf(first) : 0),
  // Shifted, so that more pods of a negative priority are not better than fewer.
  ({ pods }) => -pods.reduce((sum, pod) => sum + priorityOf(pod) + 2 ** 31, 0),
  ({ pods }) => -pods.length,
  (victims, now) => earliestStart(victims, now),
];

/** The node whose victims are missed least; undefined where there is no candidate. */
export function pickCandidate(candidates: ReadonlyMap<string, Victims>, now: number): string | undefined {
  let left = [...candidates.keys()];
  for (const criterion of criteria) {
    if (left.length <= 1) break;
    const scores = left.map((node) => criterion(candidates.get(node) as Victims, now));
    const best = scores.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
    left = left.filter((_, at) => scores[at] === best);
  }
  return left[0];
}

/** What decides between nodes, in order: two nodes with equal rows are equally good. */
export const rankOf = (victims: Victims, now: number): readonly number[] =>
  criteria.map((criterion) => criterion(victims, now));
