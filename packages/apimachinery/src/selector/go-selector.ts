import { ownEntries } from "../own/index.js";
import { compareUtf8 } from "../text/index.js";
import type { ReadableLabelSelector } from "./label-selector-object.js";

/** A selector as Go prints the struct. */
export function goSelectorText({ matchLabels, matchExpressions = [] }: ReadableLabelSelector): string {
  const labels = ownEntries(matchLabels)
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = matchExpressions.map(
    ({ key = "", operator = "", values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(" ")}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join("")}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}
