import type { DeepReadonly } from "@coxswain/api";
import type { ContainerStatus, PodCondition } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbidden,
  invalid,
  namedText,
} from "@coxswain/apimachinery/field";
import { immutableMessage, nameIsDnsSubdomain } from "@coxswain/apimachinery/validation";
import { checkQualifiedNameAt, problemsAt } from "../../checks/field-errors.js";
import { checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StrategyContext } from "../../definition/strategy.js";
import type { PodRules } from "../../pod-spec/pod-rules.js";
import { checkAnnotationUpdates } from "./annotation-updates.js";
import { checkStatusAddresses } from "./status/addresses.js";
import { checkClaimStatuses, checkExtendedResourceClaim, checkNodeAllocatableClaims } from "./status/claims.js";
import { checkAllocatedResources, checkContainerUsers, checkVolumeStatuses } from "./status/containers.js";
import { checkTransitions } from "./status/transitions.js";
import type { StoredPod } from "./stored.js";
import { rulesFor } from "./validation.js";

type ReadonlyPod = DeepReadonly<StoredPod>;

const path = fieldPath("status");
const systemConditions = new Set(["PodScheduled", "Ready", "Initialized"]);
/** In upstream's order. */
const lists = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"] as const;

/** What a kubelet or the scheduler reports. The spec has been put back already. */
export function checkPodStatusUpdate(
  next: ReadonlyPod,
  old: ReadonlyPod,
  context: Pick<StrategyContext, "gates" | "allowPrivileged">,
): FieldError[] {
  const rules = rulesFor(context, old);
  const { status } = next;
  const errors = [...checkObjectMetaUpdate(next.metadata, old.metadata), ...checkAnnotationUpdates(next, old, rules)];
  append(errors, checkConditions(status.conditions ?? [], path.child("conditions")));
  if ((next.spec.nodeName ?? "") !== (old.spec.nodeName ?? ""))
    errors.push(forbidden(path.child("nodeName"), "may not be changed directly"));
  append(errors, checkNomination(next, old, rules));
  if ((status.observedGeneration ?? 0) < 0)
    errors.push(invalid(path.child("observedGeneration"), status.observedGeneration, "must be a non-negative integer"));
  if (status.qosClass !== old.status.qosClass)
    errors.push(invalid(path.child("qosClass"), namedText(status.qosClass ?? ""), immutableMessage));
  for (const list of lists) append(errors, checkTransitions(list, { next, old, rules }));
  append(errors, checkClaimStatuses(next, path.child("resourceClaimStatuses")));
  append(errors, checkExtendedResourceClaim(next, path.child("extendedResourceClaimStatus")));
  append(errors, checkNodeAllocatableClaims(next, path.child("nodeAllocatableResourceClaimStatuses")));
  append(errors, checkStatusAddresses(status, old.status, rules));
  append(errors, checkContainerStatuses(next, rules));
  return errors;
}

function checkContainerStatuses({ spec, status }: ReadonlyPod, { imageVolumeDigests }: PodRules): FieldError[] {
  const each = (
    check: (
      statuses: readonly DeepReadonly<ContainerStatus>[],
      at: FieldPath,
      list: (typeof lists)[number],
    ) => FieldError[],
  ): FieldError[] => lists.flatMap((list) => (status[list] ? check(status[list], path.child(list), list) : []));
  return [
    ...each((statuses, at) => checkContainerUsers(statuses, at, spec.os?.name ?? "linux")),
    ...each((statuses, at, list) => checkAllocatedResources(statuses, at, containersFor(spec, list))),
    ...(imageVolumeDigests ? each((statuses, at) => checkVolumeStatuses(statuses, at)) : []),
  ];
}

/** Ephemeral containers are allocated nothing. */
const containersFor = (spec: ReadonlyPod["spec"], list: (typeof lists)[number]) =>
  list === "ephemeralContainerStatuses"
    ? undefined
    : ((list === "containerStatuses" ? spec.containers : spec.initContainers) ?? []);

function checkConditions(conditions: readonly DeepReadonly<PodCondition>[], at: FieldPath): FieldError[] {
  return conditions.flatMap(({ type, observedGeneration = 0 }, i) => [
    ...(observedGeneration < 0
      ? [invalid(at.index(i).child("observedGeneration"), observedGeneration, "must be a non-negative integer")]
      : []),
    ...(systemConditions.has(type) ? [] : checkQualifiedNameAt(type, at.index(i).child("Type"))),
  ]);
}

/** The node that the scheduler is making room on. A pod that has a node needs none. */
function checkNomination(next: ReadonlyPod, old: ReadonlyPod, { clearNominatedNode }: PodRules): FieldError[] {
  const { nominatedNodeName: node = "" } = next.status;
  if (node === "" || node === (old.status.nominatedNodeName ?? "")) return [];
  const at = path.child("nominatedNodeName");
  const errors = [...problemsAt(at, node, nameIsDnsSubdomain(node))];
  if (clearNominatedNode && old.spec.nodeName)
    errors.push(forbidden(at, "may not be set on pods that are already bound to a node"));
  return errors;
}
