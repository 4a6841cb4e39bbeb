import type { DeepReadonly } from "@coxswain/api";
import type { Container, PodSpec } from "@coxswain/api/core/v1";
import { type FieldError, fieldPath, forbidden } from "@coxswain/apimachinery/field";
import type { PodRules } from "../../../pod-spec/pod-rules.js";
import { isSidecar } from "../../../pod-spec/visit-containers.js";
import type { StoredPod } from "../stored.js";

type Spec = DeepReadonly<PodSpec>;
type List = "containerStatuses" | "initContainerStatuses" | "ephemeralContainerStatuses";

export interface Change {
  readonly next: DeepReadonly<StoredPod>;
  readonly old: DeepReadonly<StoredPod>;
  readonly rules: PodRules;
}

/** A container that has ended for good does not come back. */
export function checkTransitions(list: List, { next, old, rules }: Change): FieldError[] {
  const errors: FieldError[] = [];
  const { spec } = old;
  if (list !== "ephemeralContainerStatuses" && rules.restartRules && rules.restartAllContainers && anyRestartsAll(spec))
    return [];
  for (const [i, { name, state }] of (old.status[list] ?? []).entries()) {
    if (!state?.terminated) continue;
    const revived = (next.status[list] ?? []).filter((status) => status.name === name && !status.state?.terminated);
    if (revived.length === 0 || mayRestart(list, { name, exitCode: state.terminated.exitCode }, { spec, rules }))
      continue;
    // With restart rules upstream stops at the first status of that name, otherwise it reports each.
    const count = rules.restartRules && list !== "ephemeralContainerStatuses" ? 1 : revived.length;
    for (let n = 0; n < count; n++)
      errors.push(
        forbidden(fieldPath("status", list).index(i).child("state"), "may not be transitioned to non-terminated state"),
      );
  }
  return errors;
}

const anyRestartsAll = ({ initContainers = [], containers }: Spec): boolean =>
  [...initContainers, ...(containers ?? [])].some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === "RestartAllContainers"),
  );

interface Ended {
  readonly name: string;
  readonly exitCode: number;
}

function mayRestart(list: List, { name, exitCode }: Ended, { spec, rules }: { spec: Spec; rules: PodRules }): boolean {
  if (list === "ephemeralContainerStatuses") return false;
  const containers = (list === "containerStatuses" ? spec.containers : spec.initContainers) ?? [];
  const container = containers.find((candidate) => candidate.name === name);
  if (rules.restartRules) return container !== undefined && restartsAfter(container, { spec, exitCode, rules });
  if (policyRestarts(spec.restartPolicy, exitCode)) return true;
  return list === "initContainerStatuses" && container !== undefined && isSidecar(container);
}

/** What the kubelet would do: the container's own rules, then its policy, then the pod's. */
function restartsAfter(
  { restartPolicy, restartPolicyRules = [] }: DeepReadonly<Container>,
  { spec, exitCode, rules }: { spec: Spec; exitCode: number; rules: PodRules },
): boolean {
  if (restartPolicy === undefined) return policyRestarts(spec.restartPolicy, exitCode);
  const rule = restartPolicyRules.find(({ exitCodes }) => {
    const listed = exitCodes?.values?.includes(exitCode) ?? false;
    return exitCodes?.operator === "In" ? listed : exitCodes?.operator === "NotIn" && !listed;
  });
  if (rule?.action === "Restart" || (rule?.action === "RestartAllContainers" && rules.restartAllContainers))
    return true;
  return policyRestarts(
    ["Always", "OnFailure", "Never"].includes(restartPolicy) ? restartPolicy : spec.restartPolicy,
    exitCode,
  );
}

const policyRestarts = (policy: string | undefined, exitCode: number): boolean =>
  policy === "Never" ? false : policy === "OnFailure" ? exitCode !== 0 : true;
