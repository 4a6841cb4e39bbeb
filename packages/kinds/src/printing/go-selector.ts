import type { DeepReadonly } from "@coxswain/api";
import type { LabelSelector } from "@coxswain/api/meta/v1";
import { ownEntries } from "@coxswain/apimachinery/own";
import { compareUtf8 } from "@coxswain/apimachinery/validation";

/** A selector as Go prints the struct. */
export function goSelectorText({ matchLabels, matchExpressions = [] }: DeepReadonly<LabelSelector>): string {
  const labels = ownEntries(matchLabels)
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = matchExpressions.map(
    ({ key = "", operator = "", values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(" ")}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join("")}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}
