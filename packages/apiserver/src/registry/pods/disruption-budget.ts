import type { Condition } from "@coxswain/api/meta/v1";
import type { PodDisruptionBudget } from "@coxswain/api/policy/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { ownKeys, setOwn } from "@coxswain/apimachinery/own";
import { forbidden, StatusError, tooManyRequests } from "@coxswain/apimachinery/status";

export type StoredBudget = KubernetesObject &
  PodDisruptionBudget & {
    spec: NonNullable<PodDisruptionBudget["spec"]>;
    status: Partial<NonNullable<PodDisruptionBudget["status"]>>;
  };

/** More evictions than this that the budget's controller has not seen are not allowed. */
const maxDisruptedPods = 2000;

/** Pure: takes one disruption out of the budget, in place, for this pod. Throws when there is none left (429) or the budget is not in order (403). */
export function takeDisruption(budget: StoredBudget, podName: string, now: string): void {
  const { status } = budget;
  const name = budget.metadata.name ?? "";
  const resource = { group: "policy", resource: "poddisruptionbudget" };
  const allowed = status.disruptionsAllowed ?? 0;
  if ((status.observedGeneration ?? 0) < (budget.metadata.generation ?? 0)) throw budgetNotReady(name);
  if (allowed < 0) throw forbidden(resource, name, "pdb disruptions allowed is negative");
  if (ownKeys(status.disruptedPods).length > maxDisruptedPods)
    throw forbidden(resource, name, "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
  if (allowed === 0) throw wouldViolate(0, refusal(name, status));
  status.disruptionsAllowed = allowed - 1;
  if (status.disruptionsAllowed === 0) setInsufficient(status, now);
  setOwn((status.disruptedPods ??= {}), podName, now);
}

/** The budget is not computed for the newest state of things. */
export const budgetNotReady = (name: string): StatusError =>
  wouldViolate(10, `The disruption budget ${name} is still being processed by the server.`);

function wouldViolate(retryAfterSeconds: number, why: string): StatusError {
  const { status } = tooManyRequests(
    "Cannot evict pod as it would violate the pod's disruption budget.",
    retryAfterSeconds,
  );
  return new StatusError({
    code: 429,
    reason: "TooManyRequests",
    message: status.message ?? "",
    details: { ...status.details, causes: [{ reason: "DisruptionBudget", message: why }] },
  });
}

function refusal(name: string, { conditions, currentHealthy = 0, desiredHealthy = 0 }: StoredBudget["status"]): string {
  const condition = conditions?.find(({ type }) => type === "DisruptionAllowed");
  const explained = condition?.status === "False" && condition.message !== "";
  // Before the numbers, which are not to be trusted then.
  if (explained && condition.reason === "SyncFailed")
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${condition.message}`;
  if (currentHealthy <= desiredHealthy)
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  if (explained)
    return `The disruption budget ${name} does not allow evicting pods currently (${condition.reason}): ${condition.message}`;
  return `The disruption budget ${name} does not allow evicting pods currently`;
}

function setInsufficient(status: StoredBudget["status"], now: string): void {
  const conditions = (status.conditions ??= []);
  const at = conditions.findIndex(({ type }) => type === "DisruptionAllowed");
  const old = conditions[at];
  const next: Condition = {
    type: "DisruptionAllowed",
    status: "False",
    ...(status.observedGeneration === undefined ? {} : { observedGeneration: status.observedGeneration }),
    lastTransitionTime: old?.status === "False" ? old.lastTransitionTime : now,
    reason: "InsufficientPods",
    message: "",
  };
  if (old) conditions[at] = next;
  else conditions.push(next);
}
