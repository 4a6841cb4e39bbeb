import { equalJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";
import { invalid } from "@coxswain/apimachinery/status";
import type { AdmissionAttributes } from "../admission.js";
import { warnOfExistingPods } from "./existing-pods.js";
import type { PodSecurityDeps } from "./pod-security-deps.js";
import {
  compareLevels,
  equivalentPolicies,
  isFullyPrivileged,
  labelPrefix,
  modes,
  type Policy,
  readPolicy,
  sameLevelVersion,
  showLevelVersion,
} from "./policy.js";

/** Labels must mean something; a stricter level warns of the pods that violate it. */
export function checkNamespace(
  { configuration: { defaults, exemptions }, pods, now }: PodSecurityDeps,
  attributes: AdmissionAttributes,
): void {
  if (attributes.subresource !== "") return;
  const object = attributes.object as KubernetesObject;
  const { kind, request } = attributes;
  const name = object.metadata.name ?? "";
  const { policy, problems } = readPolicy(object.metadata.labels, defaults);
  const before = attributes.old && readPolicy(attributes.old.metadata.labels, defaults);
  const isNew = problems.length > 0 && !(before && equalJson(problems, before.problems) && before.problems.length > 0);
  if (isNew) throw invalid({ group: kind.group, kind: kind.kind }, name, [...problems]);
  if (before && !isStricter(policy, before.policy)) return;
  if (exemptions.namespaces.includes(name)) {
    if (isFullyPrivileged(policy) || equivalentPolicies(policy, defaults)) return;
    return request?.warn(
      `namespace ${JSON.stringify(name)} is exempt from Pod Security, and the policy (${showSet(policy, object)}) will be ignored`,
    );
  }
  if (!before) return;
  const isExempt = ({ spec }: { readonly spec: { readonly runtimeClassName?: string } }): boolean =>
    exemptions.runtimeClasses.includes(spec.runtimeClassName || "");
  for (const warning of warnOfExistingPods({
    namespace: name,
    pods: pods.list(`/registry/pods/${name}/`),
    enforce: policy.enforce,
    isExempt,
    now,
  }))
    request?.warn(warning);
}

/** Whether pods that were fine may not be any more. */
function isStricter({ enforce }: Policy, { enforce: old }: Policy): boolean {
  if (sameLevelVersion(enforce, old) || enforce.level === "privileged") return false;
  return enforce.version !== old.version || compareLevels(enforce.level, old.level) > 0;
}

const showSet = (policy: Policy, { metadata: { labels } }: KubernetesObject): string =>
  modes
    .filter(
      (mode) =>
        policy[mode].level !== "privileged" &&
        [mode, `${mode}-version`].some((label) => getOwn(labels, `${labelPrefix}${label}`) !== undefined),
    )
    .map((mode) => `${mode}=${showLevelVersion(policy[mode])}`)
    .join(", ");
