import type { DeepReadonly } from "@coxswain/api";
import type { PodSpec } from "@coxswain/api/core/v1";
import { ownEntries } from "@coxswain/apimachinery/own";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import { checkLabelValue, validateLabelSelector } from "@coxswain/apimachinery/validation";
import { checkLocalPath } from "./paths.js";
import { isHugePages, isWholePages } from "./resources/resource-names.js";
import { checkMergedLabelKeys, checkSeparateLabelKeys } from "./scheduling/label-keys.js";
import { checkTermSelectors } from "./scheduling/pod-affinity.js";
import { checkHostSysctl } from "./security/sysctls.js";
import { everyContainer, isSidecar } from "./visit-containers.js";

// What a stored spec holds that a new one may not.

type Spec = DeepReadonly<PodSpec>;

export const usesRestartRules = ({ containers, initContainers = [] }: Spec): boolean =>
  initContainers.some(
    ({ restartPolicy = "Always", restartPolicyRules = [] }) =>
      restartPolicy !== "Always" || restartPolicyRules.length > 0,
  ) || (containers ?? []).some(({ restartPolicy }) => restartPolicy !== undefined);

/** Rules on a sidecar came with the same feature. */
export const restartsAllContainers = ({ containers, initContainers = [] }: Spec): boolean =>
  [...(containers ?? []), ...initContainers].some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === "RestartAllContainers"),
  ) || initContainers.some((container) => isSidecar(container) && (container.restartPolicyRules ?? []).length > 0);

export const usesEnvFiles = (spec: Spec): boolean =>
  everyContainer(spec).some(({ env = [] }) => env.some(({ valueFrom }) => valueFrom?.fileKeyRef !== undefined));

export const usesComparingTolerations = ({ tolerations = [] }: Spec): boolean =>
  tolerations.some(({ operator }) => operator === "Lt" || operator === "Gt");

export const sharesNetworkInUserNamespace = ({ hostUsers, hostNetwork }: Spec): boolean =>
  hostUsers === false && hostNetwork === true;

export const usesDevicesInUserNamespace = (spec: Spec): boolean =>
  spec.hostUsers === false && everyContainer(spec).some(({ volumeDevices = [] }) => volumeDevices.length > 0);

export function usesIndivisibleHugePages(spec: Spec): boolean {
  const lists = [
    ...everyContainer(spec).flatMap(({ resources }) => [resources?.limits, resources?.requests]),
    spec.overhead,
  ];
  return lists.some((list) =>
    ownEntries(list).some(([name, text]) => isHugePages(name) && !isWholePages(name, parseQuantity(text))),
  );
}

export function hasInvalidAffinitySelector({ affinity }: Spec): boolean {
  const terms = [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((kind) => [
    ...(kind?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(kind?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ]);
  return terms.some((term) => checkTermSelectors(term, undefined, false).length > 0);
}

export function hasInvalidNodeAffinityValue({ affinity }: Spec): boolean {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return terms.some(({ matchExpressions = [] }) =>
    matchExpressions.some(({ values = [] }) => values.some((value) => checkLabelValue(value).length > 0)),
  );
}

export const hasInvalidSpreadSelector = ({ topologySpreadConstraints = [] }: Spec): boolean =>
  topologySpreadConstraints.some(({ labelSelector }) => validateLabelSelector(labelSelector, undefined).length > 0);

export const breaksMergedLabelKeys = ({ topologySpreadConstraints = [] }: Spec): boolean =>
  topologySpreadConstraints.some((constraint) => checkMergedLabelKeys(constraint, undefined).length > 0);

export const breaksSeparateLabelKeys = ({ topologySpreadConstraints = [] }: Spec): boolean =>
  topologySpreadConstraints.some((constraint) => checkSeparateLabelKeys(constraint, undefined).length > 0);

export const hasNonLocalTokenPath = ({ volumes = [] }: Spec): boolean =>
  volumes.some(({ projected }) =>
    (projected?.sources ?? []).some(
      ({ serviceAccountToken }) =>
        serviceAccountToken && checkLocalPath(serviceAccountToken.path, undefined).length > 0,
    ),
  );

export const setsHostSysctl = (spec: Spec): boolean =>
  (spec.securityContext?.sysctls ?? []).some(({ name }) => checkHostSysctl(name, spec, undefined).length > 0);

export const restartsInitContainersOnResize = ({ initContainers = [] }: Spec): boolean =>
  initContainers.some(
    (container) =>
      !isSidecar(container) &&
      (container.resizePolicy ?? []).some(({ restartPolicy }) => restartPolicy === "RestartContainer"),
  );
