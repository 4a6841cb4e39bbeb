import type { DeepReadonly } from "@coxswain/api";
import type { NamespaceCondition } from "@coxswain/api/core/v1";
import type { GroupResource } from "@coxswain/apimachinery/meta";

/** What one pass over the content of a namespace found out. */
export interface DeletionFindings {
  /** Discovery failed for some API servers. */
  readonly discovery?: { readonly failing: number; readonly message: string };
  /** Resources whose objects could not be deleted. */
  readonly deletionErrors: readonly string[];
  readonly remaining: readonly { readonly resource: GroupResource; readonly count: number }[];
  /** How many objects wait for each finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
}

/** Types in the order they are written, each with what it holds when all is well. */
const wellBeing = [
  ["NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered"],
  ["NamespaceDeletionGroupVersionParsingFailure", "ParsedGroupVersions", "All legacy kube types successfully parsed"],
  [
    "NamespaceDeletionContentFailure",
    "ContentDeleted",
    "All content successfully deleted, may be waiting on finalization",
  ],
  ["NamespaceContentRemaining", "ContentRemoved", "All content successfully removed"],
  ["NamespaceFinalizersRemaining", "ContentHasNoFinalizers", "All content-preserving finalizers finished"],
] as const;

type ConditionType = (typeof wellBeing)[number][0];

/**
 * Pure: the conditions of a namespace after a pass; undefined when they stay as they are. Conditions of other types stay, and
 * the time of a transition changes with the status only.
 */
export function planConditions(
  old: DeepReadonly<NamespaceCondition[]>,
  findings: DeletionFindings,
  now: string,
): NamespaceCondition[] | undefined {
  const problems = problemsOf(findings);
  const conditions = old.map((condition) => ({ ...condition }));
  let isChanged = false;
  for (const [type, wellReason, wellMessage] of wellBeing) {
    const [reason, message] = problems.get(type) ?? [wellReason, wellMessage];
    const status = problems.has(type) ? "True" : "False";
    const at = conditions.findIndex((condition) => condition.type === type);
    const before = conditions[at];
    if (before?.status === status && before.reason === reason && before.message === message) continue;
    isChanged = true;
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime : now;
    conditions[at < 0 ? conditions.length : at] = {
      type,
      status,
      ...(lastTransitionTime !== undefined && { lastTransitionTime }),
      reason,
      message,
    };
  }
  return isChanged ? conditions : undefined;
}

function problemsOf(findings: DeletionFindings): Map<ConditionType, readonly [reason: string, message: string]> {
  const { discovery, deletionErrors, remaining, finalizers } = findings;
  const problems = new Map<ConditionType, readonly [string, string]>();
  if (discovery)
    problems.set("NamespaceDeletionDiscoveryFailure", [
      "DiscoveryFailed",
      `Discovery failed for some groups, ${discovery.failing} failing: ${discovery.message}`,
    ]);
  if (deletionErrors.length > 0)
    problems.set("NamespaceDeletionContentFailure", [
      "ContentDeletionFailed",
      `Failed to delete all resource types, ${deletionErrors.length} remaining: ${[...deletionErrors].sort().join(", ")}`,
    ]);
  if (remaining.length > 0) {
    const texts = remaining.map(
      ({ resource, count }) => `${resource.resource}.${resource.group} has ${count} resource instances`,
    );
    problems.set("NamespaceContentRemaining", [
      "SomeResourcesRemain",
      `Some resources are remaining: ${texts.sort().join(", ")}`,
    ]);
  }
  if (finalizers.size > 0) {
    const texts = [...finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
    problems.set("NamespaceFinalizersRemaining", [
      "SomeFinalizersRemain",
      `Some content in the namespace has finalizers remaining: ${texts.sort().join(", ")}`,
    ]);
  }
  return problems;
}
