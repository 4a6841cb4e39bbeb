import type { DeepReadonly } from "@coxswain/api";
import type { SuccessPolicy } from "@coxswain/api/batch/v1";
import { countCommon, countIndexes, type Intervals, parseIntervals } from "./index-intervals.js";

/** Pure: the condition's message for the rule that the succeeded indexes fulfil; undefined: none. */
export function matchSuccessPolicy(
  policy: DeepReadonly<SuccessPolicy> | undefined,
  { completions, succeeded }: { readonly completions: number; readonly succeeded: Intervals },
): string | undefined {
  if (succeeded.length === 0) return undefined;
  const index = (policy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    const enough = succeededCount ?? Number.POSITIVE_INFINITY;
    if (succeededIndexes === undefined) return countIndexes(succeeded) >= enough;
    const required = parseIntervals(succeededIndexes, completions);
    const reached = countCommon(required, succeeded);
    return required.length > 0 && (reached === countIndexes(required) || reached >= enough);
  });
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}
