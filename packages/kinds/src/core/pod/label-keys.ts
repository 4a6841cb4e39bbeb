import type { Pod, PodAffinity, PodAffinityTerm, PodSpec } from "@coxswain/api/core/v1";
import type { LabelSelector } from "@coxswain/api/meta/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import type { StrategyContext } from "../../definition/strategy.js";

type Labels = Readonly<Record<string, string>> | undefined;

/** A new pod's label keys become requirements of the selectors they stand beside: with the values this pod has. */
export function mergeLabelKeys(
  { metadata, spec }: { metadata: NonNullable<Pod["metadata"]>; spec: PodSpec },
  gates: StrategyContext["gates"],
): void {
  const { labels } = metadata;
  for (const affinity of [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity])
    for (const term of termsOf(affinity)) mergeTerm(term, labels);
  if (
    !gates.enabled("MatchLabelKeysInPodTopologySpread") ||
    !gates.enabled("MatchLabelKeysInPodTopologySpreadSelectorMerge")
  )
    return;
  for (const { labelSelector, matchLabelKeys } of spec.topologySpreadConstraints ?? [])
    merge(labelSelector, "In", matchLabelKeys, labels);
}

const termsOf = (affinity: PodAffinity | undefined): PodAffinityTerm[] => [
  ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
];

function mergeTerm({ labelSelector, matchLabelKeys, mismatchLabelKeys }: PodAffinityTerm, labels: Labels): void {
  merge(labelSelector, "In", matchLabelKeys, labels);
  merge(labelSelector, "NotIn", mismatchLabelKeys, labels);
}

/** Without a selector nothing matches, whatever is added. */
function merge(
  selector: LabelSelector | undefined,
  operator: "In" | "NotIn",
  keys: readonly string[] = [],
  labels: Labels,
): void {
  if (!selector) return;
  for (const key of keys) {
    const value = getOwn(labels, key);
    if (value !== undefined) (selector.matchExpressions ??= []).push({ key, operator, values: [value] });
  }
}
