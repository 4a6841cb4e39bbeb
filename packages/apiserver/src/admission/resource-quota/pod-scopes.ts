import type { DeepReadonly } from "@coxswain/api";
import type { PodAffinityTerm } from "@coxswain/api/core/v1";
import { qosClass, type StoredPod } from "@coxswain/kinds/core/pod";
import { fitsScope, type Scope } from "./evaluator.js";

type Pod = DeepReadonly<StoredPod>;

/** It ends by itself at a time that it names. */
export const isTerminating = ({ spec }: Pod): boolean =>
  spec.activeDeadlineSeconds !== undefined && spec.activeDeadlineSeconds >= 0;

export function podIsInScope(scope: Scope, pod: Pod): boolean {
  switch (scope.scopeName) {
    case "Terminating":
      return isTerminating(pod);
    case "NotTerminating":
      return !isTerminating(pod);
    case "BestEffort":
      return isBestEffort(pod);
    case "NotBestEffort":
      return !isBestEffort(pod);
    case "PriorityClass":
      return fitsScope(scope, pod.spec.priorityClassName || undefined);
    case "CrossNamespacePodAffinity":
      return looksIntoOtherNamespaces(pod);
    default:
      return false;
  }
}

const isBestEffort = ({ spec, status }: Pod): boolean => (status.qosClass || qosClass(spec)) === "BestEffort";

function looksIntoOtherNamespaces({ spec }: Pod): boolean {
  const crosses = ({ namespaces = [], namespaceSelector }: DeepReadonly<PodAffinityTerm>): boolean =>
    namespaces.length > 0 || namespaceSelector !== undefined;
  return [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity].some(
    (affinity) =>
      affinity?.requiredDuringSchedulingIgnoredDuringExecution?.some(crosses) ||
      affinity?.preferredDuringSchedulingIgnoredDuringExecution?.some(({ podAffinityTerm }) =>
        crosses(podAffinityTerm),
      ),
  );
}
