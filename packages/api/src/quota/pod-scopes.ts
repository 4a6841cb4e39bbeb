import type { Pod, PodAffinityTerm } from "../gen/types/core-v1.js";
import { qosClass } from "../pods/index.js";
import type { DeepReadonly } from "../types/index.js";
import { fitsScope, type Scope } from "./usage-evaluator.js";

type ReadPod = DeepReadonly<Pod>;

/** It ends by itself at a time that it names. */
export const isTerminating = ({ spec }: ReadPod): boolean => (spec?.activeDeadlineSeconds ?? -1) >= 0;

export function podIsInScope(scope: Scope, pod: ReadPod): boolean {
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
      return fitsScope(scope, pod.spec?.priorityClassName || undefined);
    case "CrossNamespacePodAffinity":
      return looksIntoOtherNamespaces(pod);
    default:
      return false;
  }
}

const isBestEffort = ({ spec, status }: ReadPod): boolean =>
  (status?.qosClass || (spec && qosClass(spec))) === "BestEffort";

function looksIntoOtherNamespaces({ spec }: ReadPod): boolean {
  const crosses = ({ namespaces = [], namespaceSelector }: DeepReadonly<PodAffinityTerm>): boolean =>
    namespaces.length > 0 || namespaceSelector !== undefined;
  return [spec?.affinity?.podAffinity, spec?.affinity?.podAntiAffinity].some(
    (affinity) =>
      affinity?.requiredDuringSchedulingIgnoredDuringExecution?.some(crosses) ||
      affinity?.preferredDuringSchedulingIgnoredDuringExecution?.some(({ podAffinityTerm }) =>
        crosses(podAffinityTerm),
      ),
  );
}
