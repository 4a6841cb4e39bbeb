import type { DeepReadonly } from "@coxswain/api";
import type { PodFailurePolicy, PodFailurePolicyRule } from "@coxswain/api/batch/v1";
import type { ContainerStatus } from "@coxswain/api/core/v1";
import type { CachedPod } from "../pods/pod-state.js";

type Rule = DeepReadonly<PodFailurePolicyRule>;

/** The policy's action for one failed pod. */
export interface FailureMatch {
  /** Of the first rule that matches; undefined: none does. */
  readonly action?: string;
  /** Whether the failure counts towards the back-off limits. */
  readonly isCounted: boolean;
  /** Why the whole Job fails, where it does. */
  readonly message?: string;
}

/** Pure. */
export function matchFailurePolicy(policy: DeepReadonly<PodFailurePolicy> | undefined, pod: CachedPod): FailureMatch {
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const cause = causeOf(rule, pod);
    if (cause === undefined) continue;
    const { action } = rule;
    switch (action) {
      case "Ignore":
        return { action, isCounted: false };
      case "FailIndex":
      case "Count":
        return { action, isCounted: true };
      case "FailJob":
        return { action, isCounted: true, message: `${cause} matching ${action} rule at index ${index}` };
    }
  }
  return { isCounted: true };
}

/** The beginning of the message with the reason why the rule matches. */
function causeOf({ onExitCodes, onPodConditions }: Rule, pod: CachedPod): string | undefined {
  const name = `${pod.metadata?.namespace}/${pod.metadata?.name}`;
  if (onExitCodes) {
    const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
    const container = [...containerStatuses, ...initContainerStatuses].find((status) =>
      matchesExit(status, onExitCodes),
    );
    const code = container?.state?.terminated?.exitCode;
    return container && `Container ${container.name} for pod ${name} failed with exit code ${code}`;
  }
  const condition = pod.status?.conditions?.find(({ type, status }) =>
    onPodConditions?.some((pattern) => pattern.type === type && pattern.status === status),
  );
  return condition && `Pod ${name} has condition ${condition.type}`;
}

function matchesExit(
  { name, state }: DeepReadonly<ContainerStatus>,
  { containerName, operator, values }: NonNullable<Rule["onExitCodes"]>,
): boolean {
  const code = state?.terminated?.exitCode ?? 0;
  if (code === 0 || (containerName !== undefined && containerName !== name)) return false;
  return operator === "In" ? values.includes(code) : operator === "NotIn" && !values.includes(code);
}
