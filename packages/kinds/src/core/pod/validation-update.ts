import type { DeepReadonly } from "@coxswain/api";
import type { PodSpec } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, fieldPath, forbidden, invalid, required } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { rangeMessage } from "@coxswain/apimachinery/validation";
import { checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StrategyContext } from "../../definition/strategy.js";
import { sameForm } from "../../internal-form/equal.js";
import { indentedJson } from "../../internal-form/go-text.js";
import { internalPodSpec } from "../../internal-form/internal-form.js";
import { unifiedDiff } from "../../internal-form/unified-diff.js";
import { checkImageOfPod } from "../../pod-spec/containers/container.js";
import type { PodRules } from "../../pod-spec/pod-rules.js";
import { checkTolerations } from "../../pod-spec/scheduling/tolerations.js";
import { checkAnnotationUpdates } from "./annotation-updates.js";
import { checkGatedChanges, withoutGatedChanges } from "./gated-changes.js";
import type { StoredPod } from "./stored.js";
import { checkMetadataAndSpec, rulesFor } from "./validation.js";

type ReadonlyPod = DeepReadonly<StoredPod>;
type Spec = DeepReadonly<PodSpec>;

const path = fieldPath("spec");
const longestDeadline = 2 ** 31 - 1;

const changeable = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
];

/** A pod is hardly changed once it is made: images, a shorter deadline, more tolerations, fewer scheduling gates. */
export function checkPodUpdate(
  next: ReadonlyPod,
  old: ReadonlyPod,
  context: Pick<StrategyContext, "gates" | "allowPrivileged">,
): FieldError[] {
  const rules = rulesFor(context, old);
  const errors = [
    ...checkObjectMetaUpdate(next.metadata, old.metadata),
    ...checkMetadataAndSpec(next, rules),
    ...checkAnnotationUpdates(next, old, rules),
  ];
  for (const list of ["containers", "initContainers"] as const) {
    if ((next.spec[list]?.length ?? 0) !== (old.spec[list]?.length ?? 0))
      return [...errors, forbidden(path.child(list), "pod updates may not add or remove containers")];
    append(errors, checkImages(next.spec, list));
  }
  const deadline = checkDeadline(next.spec, old.spec);
  append(errors, deadline.errors);
  if (deadline.stop) return errors;
  append(errors, [...checkAddedTolerations(next.spec, old.spec, rules), ...checkClearedGates(next.spec, old.spec)]);
  if (equalJson(next.spec, old.spec)) return errors;
  return [...errors, ...checkGatedChanges(next.spec, old.spec), ...checkNothingElseChanged(next.spec, old.spec)];
}

function checkImages(spec: Spec, list: "containers" | "initContainers"): FieldError[] {
  return (spec[list] ?? []).flatMap((container, i) => {
    const at = path.child(list).index(i);
    return [...(container.image ? [] : [required(at.child("image"))]), ...checkImageOfPod(container, at)];
  });
}

/** It may be set, or made shorter. */
function checkDeadline(
  { activeDeadlineSeconds: next }: Spec,
  { activeDeadlineSeconds: old }: Spec,
): { errors: FieldError[]; stop: boolean } {
  const at = path.child("activeDeadlineSeconds");
  if (next === undefined)
    return {
      errors: old === undefined ? [] : [invalid(at, null, "must not update from a positive integer to nil value")],
      stop: false,
    };
  if (next < 0 || next > longestDeadline)
    return { errors: [invalid(at, next, rangeMessage(0, longestDeadline))], stop: true };
  if (old !== undefined && old < next)
    return { errors: [invalid(at, next, "must be less than or equal to previous value")], stop: true };
  return { errors: [], stop: false };
}

function checkAddedTolerations(
  { tolerations: next = [] }: Spec,
  { tolerations: old = [] }: Spec,
  rules: PodRules,
): FieldError[] {
  const at = path.child("tolerations");
  const kept = old.every((before) =>
    next.some((after) =>
      equalJson({ ...before, tolerationSeconds: undefined }, { ...after, tolerationSeconds: undefined }),
    ),
  );
  return kept
    ? checkTolerations(next, at, rules)
    : [forbidden(at, "existing toleration can not be modified except its tolerationSeconds")];
}

function checkClearedGates({ schedulingGates: next = [] }: Spec, { schedulingGates: old = [] }: Spec): FieldError[] {
  const added = new Map(next.map(({ name }, i) => [name, i]));
  for (const { name } of old) added.delete(name);
  return [...added].map(([name, i]) =>
    forbidden(
      path.child("schedulingGates").index(i).child("name"),
      `only deletion is allowed, but found new scheduling gate '${name}'`,
    ),
  );
}

/** The message shows what changed in upstream's own form of a pod. */
function checkNothingElseChanged(next: Spec, old: Spec): FieldError[] {
  const kept = withoutGatedChanges(withoutFreeChanges(next, old), old);
  // Nearly always; only amounts in other words (1Gi, 1024Mi) need the longer way.
  if (equalJson(kept, old)) return [];
  const [before, after] = [internalPodSpec(old), internalPodSpec(kept)];
  if (sameForm(before, after)) return [];
  const diff = unifiedDiff(indentedJson(before), indentedJson(after));
  return [forbidden(path, `pod updates may not change fields other than ${changeable.join(",")}\n${diff}`)];
}

/** The new spec with what may change put back. */
function withoutFreeChanges(next: Spec, old: Spec): Spec {
  const images = (list: "containers" | "initContainers") =>
    next[list]?.map((container, i) => ({ ...container, image: old[list]?.[i]?.image }));
  const { terminationGracePeriodSeconds: grace = 0 } = old;
  return {
    ...next,
    containers: images("containers"),
    initContainers: images("initContainers"),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    schedulingGates: old.schedulingGates,
    tolerations: old.tolerations,
    terminationGracePeriodSeconds:
      grace < 0 && next.terminationGracePeriodSeconds === 1 ? grace : next.terminationGracePeriodSeconds,
  } as Spec;
}
