import type { DeepReadonly } from "@coxswain/api";
import type { Container } from "@coxswain/api/core/v1";
import { qosClass } from "@coxswain/api/pods";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, fieldPath, forbidden, invalid, namedText } from "@coxswain/apimachinery/field";
import { getOwn, ownKeys } from "@coxswain/apimachinery/own";
import { checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StrategyContext } from "../../definition/strategy.js";
import { sameForm } from "../../internal-form/equal.js";
import { internalForm, internalPodSpec } from "../../internal-form/internal-form.js";
import { mirrorAnnotation } from "../../pod-spec/annotations/annotations.js";
import type { PodRules } from "../../pod-spec/pod-rules.js";
import { isSidecar } from "../../pod-spec/visit-containers.js";
import { hasAmounts, withoutResize } from "./resize-changes.js";
import type { StoredPod } from "./stored.js";
import { checkMetadataAndSpec, rulesFor } from "./validation.js";

type ReadonlyPod = DeepReadonly<StoredPod>;
type List = "containers" | "initContainers";

const path = fieldPath("spec");

/** More or less CPU and memory for a running pod, and nothing else. */
export function checkPodResize(
  next: ReadonlyPod,
  old: ReadonlyPod,
  context: Pick<StrategyContext, "gates" | "allowPrivileged">,
): FieldError[] {
  if (getOwn(old.metadata.annotations, mirrorAnnotation) !== undefined)
    return [forbidden(fieldPath(""), "static pods cannot be resized")];
  if (old.spec.os?.name === "windows") return [forbidden(fieldPath(""), "windows pods cannot be resized")];
  const rules = rulesFor(context, old);
  const errors = [...checkObjectMetaUpdate(next.metadata, old.metadata), ...checkMetadataAndSpec(next, rules)];
  if ((old.status.qosClass ?? qosClass(old.spec)) !== qosClass(next.spec)) {
    errors.push(
      invalid(path, namedText(next.status.qosClass ?? ""), "Pod QOS Class may not change as a result of resizing"),
    );
  }
  if (!nodeCanResize(old)) errors.push(forbidden(path, "Pod running on node without support for resize"));
  if ((hasAmounts(old.spec.resources) || hasAmounts(next.spec.resources)) && !rules.podLevelResize) {
    return [
      ...errors,
      forbidden(
        fieldPath(""),
        "resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled",
      ),
    ];
  }
  if (hasAmounts(old.spec.resources) || hasAmounts(next.spec.resources)) append(errors, checkPodLevel(next, old));
  if (old.status.nodeAllocatableResourceClaimStatuses?.length)
    errors.push(forbidden(path, "pods with node allocatable resource claims cannot be resized"));
  const order = [...checkOrder(next, old, "containers"), ...checkOrder(next, old, "initContainers")];
  if (order.length > 0) return [...errors, ...order];
  append(errors, [
    ...checkNothingRemoved(next, old, rules),
    ...checkContainers(next, old),
    ...checkInitContainers(next, old, rules),
  ]);
  if (errors.length > 0) return errors;
  return sameForm(internalPodSpec(withoutResize(next.spec, old.spec)), internalPodSpec(old.spec))
    ? []
    : [onlyCpuAndMemory];
}

const onlyCpuAndMemory = forbidden(path, "only cpu and memory resources are mutable");

/** A node that reports what its containers really have knows how to change it. */
function nodeCanResize({ status }: ReadonlyPod): boolean {
  const running = status.containerStatuses?.find(({ state }) => state?.running);
  return !running || running.resources !== undefined;
}

const isRemoved = (
  next: Readonly<Record<string, string>> | undefined,
  old: Readonly<Record<string, string>> | undefined,
): boolean => ownKeys(old).some((name) => getOwn(next, name) === undefined);

function checkPodLevel(next: ReadonlyPod, old: ReadonlyPod): FieldError[] {
  const at = path.child("resources");
  const [after, before] = [next.spec.resources, old.spec.resources];
  if (before && !after) return [forbidden(at, "pod-level resources cannot be removed")];
  const errors: FieldError[] = [];
  if (isRemoved(after?.requests, before?.requests))
    errors.push(forbidden(at.child("requests"), "pod-level resource requests cannot be removed"));
  if (isRemoved(after?.limits, before?.limits))
    errors.push(forbidden(at.child("limits"), "pod-level resource limits cannot be removed"));
  const masked = withoutResize(next.spec, old.spec).resources;
  const same =
    masked && before
      ? sameForm(internalForm("ResourceRequirements", masked), internalForm("ResourceRequirements", before))
      : masked === before;
  return same ? errors : [...errors, forbidden(path, "only cpu and memory resources are mutable at pod-level")];
}

function checkOrder({ spec: next }: ReadonlyPod, { spec: old }: ReadonlyPod, list: List): FieldError[] {
  const [after, before] = [next[list] ?? [], old[list] ?? []];
  if (after.length !== before.length)
    return [forbidden(path.child(list), `${list} may not be added or removed on resize`)];
  return before.flatMap(({ name }, i) =>
    after[i]?.name === name
      ? []
      : [forbidden(path.child(list).index(i).child("name"), `${list} may not be renamed or reordered on resize`)],
  );
}

function checkNothingRemoved(
  { spec: next }: ReadonlyPod,
  { spec: old }: ReadonlyPod,
  { initContainerResize }: PodRules,
): FieldError[] {
  return (["initContainers", "containers"] as const).flatMap((list) =>
    (old[list] ?? []).flatMap((container, i) => {
      if (list === "initContainers" && !initContainerResize && !isSidecar(container)) return [];
      const at = path.child(list).index(i).child("resources");
      const [after, before] = [next[list]?.[i]?.resources, container.resources];
      return [
        ...(isRemoved(after?.requests, before?.requests)
          ? [forbidden(at.child("requests"), "resource requests cannot be removed")]
          : []),
        ...(isRemoved(after?.limits, before?.limits)
          ? [forbidden(at.child("limits"), "resource limits cannot be removed")]
          : []),
      ];
    }),
  );
}

const sameContainer = (a: DeepReadonly<Container> | undefined, b: DeepReadonly<Container> | undefined): boolean =>
  sameForm(internalForm("Container", a), internalForm("Container", b));

function checkContainers({ spec: next }: ReadonlyPod, { spec: old }: ReadonlyPod): FieldError[] {
  const masked = withoutResize(next, old).containers ?? [];
  return masked.flatMap((container, i) => (sameContainer(container, old.containers[i]) ? [] : [onlyCpuAndMemory]));
}

function checkInitContainers(
  { spec: next }: ReadonlyPod,
  { spec: old }: ReadonlyPod,
  { initContainerResize }: PodRules,
): FieldError[] {
  const masked = withoutResize(next, old).initContainers ?? [];
  return (next.initContainers ?? []).flatMap((container, i) => {
    const before = old.initContainers?.[i];
    const changed = !sameContainer(container, before);
    const sidecar = isSidecar(container);
    if (!sidecar && !initContainerResize)
      return changed ? [forbidden(path, "resources for non-sidecar init containers are immutable")] : [];
    const at = path.child("initContainers").index(i);
    const errors = sameContainer(masked[i], before)
      ? []
      : [forbidden(at, "only cpu and memory resources for init or sidecar containers are mutable")];
    if (!changed || sidecar) return errors;
    const restarting = (container.resizePolicy ?? []).filter(
      ({ restartPolicy }) => restartPolicy === "RestartContainer",
    );
    return [
      ...errors,
      ...restarting.map(() =>
        forbidden(at, "non-sidecar init containers with a resize policy of RestartContainer cannot be resized"),
      ),
    ];
  });
}
