import type { DeepReadonly } from "@coxswain/api";
import type { ClusterRole, PolicyRule } from "@coxswain/api/rbac/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import { type LabelSelector, labelSelectorFromObject } from "@coxswain/apimachinery/selector";
import { compareUtf8 } from "@coxswain/apimachinery/text";

/**
 * Pure: the rules of an aggregated role: those of the roles that its selectors match, selector by selector and by name, each
 * rule once. Undefined: the role has no aggregation rule, or has these rules already.
 */
export function planRules(
  role: DeepReadonly<ClusterRole>,
  all: readonly DeepReadonly<ClusterRole>[],
): PolicyRule[] | undefined {
  if (!role.aggregationRule) return undefined;
  const sorted = [...all].sort((a, b) => compareUtf8(a.metadata?.name ?? "", b.metadata?.name ?? ""));
  const rules: PolicyRule[] = [];
  for (const labels of role.aggregationRule.clusterRoleSelectors ?? []) {
    const selector = labelSelectorFromObject(labels as LabelSelector);
    for (const { metadata, rules: own } of sorted) {
      if (metadata?.name === role.metadata?.name || !selector.matches(metadata?.labels ?? {})) continue;
      for (const rule of own ?? []) if (!rules.some((known) => equalJson(known, rule))) rules.push(rule as PolicyRule);
    }
  }
  return equalJson(rules, role.rules ?? []) ? undefined : rules;
}
