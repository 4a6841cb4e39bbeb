import type { DeepReadonly } from "@coxswain/api";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, fieldPath, forbidden } from "@coxswain/apimachinery/field";
import { checkObjectMeta } from "../../checks/object-meta.js";
import type { StrategyContext } from "../../definition/strategy.js";
import { checkPodAnnotations } from "../../pod-spec/annotations/annotations.js";
import { checkImageOfPod } from "../../pod-spec/containers/container.js";
import type { PodRules } from "../../pod-spec/pod-rules.js";
import { podRules } from "../../pod-spec/rules.js";
import { checkAppArmorAgrees } from "../../pod-spec/security/app-armor.js";
import { checkSeccompAgrees } from "../../pod-spec/security/seccomp.js";
import { checkPodSpec } from "../../pod-spec/validation.js";
import type { StoredPod } from "./stored.js";

type ReadonlyPod = DeepReadonly<StoredPod>;
type Known = Pick<StrategyContext, "gates" | "allowPrivileged">;

export const rulesFor = ({ gates, allowPrivileged }: Known, old?: ReadonlyPod): PodRules =>
  podRules({
    gates,
    allowPrivileged,
    isPod: true,
    old: old && { spec: old.spec, annotations: old.metadata.annotations },
  });

const specPath = fieldPath("spec");

/** A new pod. */
export function checkPod(pod: ReadonlyPod, context: Known): FieldError[] {
  const { metadata, spec } = pod;
  const errors = checkMetadataAndSpec(pod, rulesFor(context));
  if (spec.ephemeralContainers?.length)
    errors.push(forbidden(specPath.child("ephemeralContainers"), "cannot be set on create"));
  if (spec.nodeName && spec.schedulingGates?.length)
    errors.push(forbidden(specPath.child("nodeName"), "cannot be set until all schedulingGates have been cleared"));
  return [
    ...errors,
    ...checkSeccompAgrees(metadata.annotations, spec, specPath),
    ...checkAppArmorAgrees(metadata.annotations, spec, specPath),
  ];
}

/** What holds for a pod at any time. */
export function checkMetadataAndSpec({ metadata, spec }: ReadonlyPod, rules: PodRules): FieldError[] {
  const errors = checkObjectMeta(metadata, { namespaced: true });
  append(errors, checkPodAnnotations(metadata.annotations, fieldPath("metadata", "annotations"), { spec, rules }));
  append(errors, checkPodSpec(spec, { path: specPath, rules, metadata }));
  if (!(spec.serviceAccountName || spec.serviceAccount)) append(errors, checkNoTokens(spec));
  for (const list of ["containers", "initContainers"] as const) {
    for (const [i, container] of (spec[list] ?? []).entries())
      append(errors, checkImageOfPod(container, specPath.child(list).index(i)));
  }
  return errors;
}

/** A token needs an account whose it is. */
function checkNoTokens({ volumes = [] }: ReadonlyPod["spec"]): FieldError[] {
  const errors: FieldError[] = [];
  for (const [v, { projected }] of volumes.entries()) {
    for (const [s, { serviceAccountToken }] of (projected?.sources ?? []).entries()) {
      if (!serviceAccountToken) continue;
      const path = specPath.child("volumes").index(v).child("projected", "sources").index(s);
      errors.push(
        forbidden(path.child("serviceAccountToken"), "must not be specified when serviceAccountName is not set"),
      );
    }
  }
  return errors;
}
